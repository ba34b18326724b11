#!/usr/bin/env bash
# Build the native module with the address and undefined-behaviour sanitisers, and run the tests of the native code with it.
# Usage: native/sanitize.sh PYTHON [pytest arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
bin=$(dirname "$python")
shift
site=build/sanitize/site
rm -rf "$site"
"$bin/cmake" -S . -B build/sanitize/cmake -G Ninja -DCMAKE_MAKE_PROGRAM="$(realpath "$bin/ninja")" -DCMAKE_BUILD_TYPE=Debug -DPREQUENTIAL_SANITIZE=ON \
      -DPython_EXECUTABLE="$(realpath -s "$python")" > build/sanitize.log
"$bin/cmake" --build build/sanitize/cmake >> build/sanitize.log
mkdir -p "$site"
cp -r src/prequential "$site/"
cp build/sanitize/cmake/_native*.so "$site/prequential/"
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
asan=$(g++ -print-file-name=libasan.so)
stdcpp=$(g++ -print-file-name=libstdc++.so)
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(tests/parity/test_grid.py tests/parity/test_adwin_window.py tests/parity/test_learners.py
    tests/properties/test_delayed.py tests/properties/test_binned_grids.py tests/unit/protocols/test_kfold.py
    tests/unit/streams/compositions/test_class_ratio.py tests/parity/test_drift_twins.py tests/parity/test_exponential_histogram.py tests/properties/test_auc.py
    tests/properties/test_drift.py tests/properties/test_exponential_histogram.py tests/properties/test_grid.py
    tests/properties/test_row_parser.py tests/properties/test_merge.py tests/properties/test_native_learners.py tests/contracts/test_native_learners.py
    tests/contracts/test_made_of_learners.py tests/contracts/test_python_bases.py tests/parity/test_tree_twin.py
    tests/unit/learners/test_trees.py tests/unit/learners/test_instructions.py tests/unit/learners/test_knn.py tests/unit/drift/test_detectors.py tests/unit/drift/test_drift_reset.py
    tests/unit/learners/test_ensembles.py tests/unit/learners/test_noise_filter.py tests/unit/test_native.py)
# -S keeps out the editable install, which is not sanitised. Python itself leaks on purpose.
LD_PRELOAD="$asan $stdcpp" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    PYTHONPATH="$site:$packages" PREQUENTIAL_SANITIZED=1 "$python" -S -m pytest -q -s -p no:cacheprovider "${tests[@]}" \
    --deselect tests/unit/test_native.py::test_the_stub_matches_the_binary \
    --deselect tests/properties/test_exponential_histogram.py::test_ten_million_records_fit_into_a_megabyte_within_one_percent
