// Rows of text as columns.
#include "prequential/row_parser.hpp"

#include "arrays.hpp"

void init_rows(nb::module_& m) {
  using prequential::CellKind, prequential::RowParser;
  nb::class_<RowParser>(m, "RowParser", "Reads rows of plain text into columns.")
      .def("__init__",
           [](RowParser* self, const std::vector<std::string>& kinds, std::vector<std::string> missing,
              const std::string& separator, bool last_comma) {
             std::vector<CellKind> cells;
             for (const std::string& kind : kinds) {
               if (kind != "skip" && kind != "number" && kind != "category")
                 throw nb::value_error("a column is skip, number or category");
               cells.push_back(kind == "skip"     ? CellKind::skip
                               : kind == "number" ? CellKind::number
                                                  : CellKind::category);
             }
             if (cells.empty() || separator.size() != 1) throw nb::value_error("no columns, or no separator");
             new (self) RowParser(std::move(cells), std::move(missing), separator[0], last_comma);
           },
           "kinds"_a, "missing"_a, "separator"_a, "last_comma"_a)
      .def("parse",
           [](const RowParser& self, nb::bytes block) -> nb::object {
             RowParser::Rows rows;
             const std::string_view text(block.c_str(), block.size());
             {
               const nb::gil_scoped_release nogil;
               rows = self.parse(text);
             }
             if (rows.declined) return nb::none();
             nb::list columns;
             for (auto& column : rows.columns) {
               if (column.kind == CellKind::number) {
                 const double* data = column.numbers.get();
                 columns.append(nb::make_tuple(array_of(const_cast<double*>(data), {rows.n}, std::move(column.numbers)),
                                               nb::none(), column.missing));
               } else if (column.kind == CellKind::category) {
                 std::int32_t* data = column.codes.get();
                 nb::list texts;
                 for (const auto& one : column.texts) texts.append(nb::str(one.data(), one.size()));
                 columns.append(nb::make_tuple(array_of(data, {rows.n}, std::move(column.codes)), texts, column.missing));
               } else {
                 columns.append(nb::none());
               }
             }
             return nb::make_tuple(columns, rows.n, rows.n_lines);
           },
           "block"_a, nb::sig("def parse(self, block: bytes) -> tuple[list[tuple[NDArray[numpy.float64], list[str], bool]], int, int] | None"),
           "The columns (numbers or codes, the texts of codes, whether values are missing), the numbers of rows and of "
           "lines; None where a careful parser is needed.");
}
