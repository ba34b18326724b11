"""Names that users of River, scikit-learn, MOA, CapyMOA and pandas type from memory, and what to write instead."""

from __future__ import annotations

_METRIC = "Metrics are named by text: metrics={!r}."


def _metrics(**names: str) -> dict[str, str]:
    return {name: f'It is the metric "{ours}": pq.evaluate(…, metrics="{ours}").' for name, ours in names.items()}


_TRACE = "Write run.to_pandas() for the trace, or run.table().to_pandas() for the last checkpoint."
_TABLE = "Write run.table() for the last checkpoint, run.to_pandas() for the whole trace."
_LEARN_ONE = "Write pq.evaluate(stream, learner), or learner.to_river(), which has learn_one and predict_one."
_FIT = "Write learner.to_sklearn(), which has fit, partial_fit and predict; or pq.evaluate(stream, learner)."
_MOA = "Write pq.evaluate(stream, learner), or learner.to_river() for one record at a time."
_STREAM = "Iterate over it (for x, y in stream), or write stream.head() or stream.to_pandas()."
_DETECTOR = "The state has update and drift_detected: state = detector.fresh(); state.update(x); state.drift_detected."
_EVALUATE = "Write pq.evaluate(stream, learners)."
_SCORER = "Write scorer.update(y_true, y_pred), then scorer.table()."

_FRAME = "Write table.to_pandas(), a data frame."
_NOT_HERE = "It is not among our learners (pq.learners.names()). Give pq.evaluate a model of River or CapyMOA."
_NO_DETECTOR = "It is not among our detectors (pq.drift.names()). Give pq.detect a detector of River or CapyMOA."
_TAKE = "Write stream.take(n)."
_LATE = "Write pq.evaluate(stream.delayed(…), learners, protocol=pq.Delayed())."
_SEED = "Give the seed where the learner runs: pq.evaluate(…, seed=1), learner.to_river(seed=1)."
_COLUMNS = "Write ignore= for columns to leave out, nominal= and numeric= for kinds."
_PARAMETERS: dict[str, str] = {
    **dict.fromkeys(("seed", "random_state", "random_seed"), _SEED),
    **dict.fromkeys(("n_jobs", "number_of_jobs"), "Several runs at a time: pq.evaluate(…, workers=2)."),
    **dict.fromkeys(("n", "n_samples", "max_instances", "max_samples", "nrows", "n_rows", "take"), _TAKE),
    **dict.fromkeys(("delay", "moment", "delay_length"), _LATE),
    **dict.fromkeys(("pretrain_size", "n_pretrain", "pretrain"), "Write protocol=pq.Prequential(pretrain=…)."),
    **dict.fromkeys(
        ("output_file", "show_plot", "plot"), "Write run.to_pandas().to_csv(path) or run.plot() afterwards."
    ),
    **dict.fromkeys(("usecols", "dtype", "names", "index_col", "parse_dates"), _COLUMNS),
    "schema": "The schema comes from the stream: pq.evaluate(stream, learner).",
    "nominal_attributes": "Nominal features are those of the stream: pq.read(path, nominal=[…]).",
    "skiprows": "Write pq.read(path).skip(n).",
    "average": 'Write metrics="macro_f1", or "recall[CLASS]" for one class.',
    "shuffle": "Streams keep their order; draws of a protocol are those of pq.evaluate(…, seed=1).",
    "figsize": "Write figure = run.figure(); figure.set_size_inches(4, 3).",
    "drift_detector": "It is ADWIN, with drift_delta and warning_delta; any detector works in pq.learners.DriftReset.",
    "var_smoothing": 'Densities of naive Bayes need no smoothing; densities="moa" repeats those of MOA.',
    "max_delay": "Write tolerance=…, in records.",
}
"""Parameters that belong elsewhere, whoever was called."""

_ELSEWHERE: dict[str, dict[str, str]] = {
    "()": _PARAMETERS,
    "pq": {
        **dict.fromkeys(("ExtremelyFastDecisionTree", "EFDT", "SRP", "StreamingRandomPatches", "AdaBoost"), _NOT_HERE),
        **dict.fromkeys(("SAMkNN", "SVM", "SVC", "BernoulliNB", "MultinomialNB", "DecisionTreeClassifier"), _NOT_HERE),
        **dict.fromkeys(("XGBClassifier", "LinearRegression", "HoeffdingTreeRegressor", "ARFRegressor"), _NOT_HERE),
        **dict.fromkeys(("KSWIN", "HDDM_A", "HDDM_W", "HDDMAverage", "HDDMWeighted", "CUSUM", "STEPD"), _NO_DETECTOR),
        **dict.fromkeys(("get", "list", "available", "help", "all"), "Write names(), such as pq.learners.names()."),
        **dict.fromkeys(("confusion_matrix", "ClassificationReport"), "Write print(pq.score(y_true, y_pred))."),
        **dict.fromkeys(("set_seed", "seed"), "Write pq.evaluate(…, seed=1)."),
        "make_scorer": "Write pq.Metric(name, function) for a metric of your own.",
        "friedmanchisquare": "It is pq.comparisons.friedman.",
        "ttest": "Folds and streams are compared without a t-test: pq.comparisons.wilcoxon, sign_test, friedman.",
        "autorank": "Write pq.comparisons.ranking(values, learners), or pq.compare([run, …]).",
        "cd_diagram": "Write pq.compare([run, …]).save_figure(path).",
        "plot": "Write run.plot().",
        "run": "Write pq.evaluate(stream, learners), or pq.Plan.from_toml(path).run().",
        "plan": "Write pq.Plan.from_toml(path).",
        "config": "Nothing is configured globally: give arguments to pq.evaluate.",
        "LEDDrift": "It is pq.streams.LED(n_drifting=…).",
        "RandomRBFDrift": "It is pq.streams.RandomRBF(speed=…, n_drifting=…).",
        "NSGT": 'Write pq.testbed.stream("NSGT").',
        "draw": 'Write pq.testbed.mixture("NSGT").figure().',
        "written": 'Write pq.testbed.mixture("NSGT").to_toml().',
        "ARF": "It is pq.learners.AdaptiveRandomForest.",
        "ARFClassifier": "It is pq.learners.AdaptiveRandomForest.",
        "AdaptiveRandomForestClassifier": "It is pq.learners.AdaptiveRandomForest.",
        "HT": "It is pq.learners.HoeffdingTree.",
        "VFDT": "It is pq.learners.HoeffdingTree.",
        "HoeffdingTreeClassifier": "It is pq.learners.HoeffdingTree.",
        "HAT": "It is pq.learners.HoeffdingAdaptiveTree.",
        "HoeffdingAdaptiveTreeClassifier": "It is pq.learners.HoeffdingAdaptiveTree.",
        "GaussianNB": "It is pq.learners.NaiveBayes.",
        "NB": "It is pq.learners.NaiveBayes.",
        "KNNClassifier": "It is pq.learners.KNN.",
        "KNeighborsClassifier": "It is pq.learners.KNN.",
        "SGDClassifier": "It is pq.learners.SGD.",
        "LogisticRegression": 'It is pq.learners.SGD(loss="log_loss").',
        "Perceptron": 'It is pq.learners.SGD(loss="hinge").',
        "OzaBag": "It is pq.learners.OnlineBagging.",
        "OzaBagAdwin": "It is pq.learners.AdwinBagging.",
        "BaggingClassifier": "It is pq.learners.OnlineBagging.",
        "ADWINBaggingClassifier": "It is pq.learners.AdwinBagging.",
        "LeveragingBaggingClassifier": "It is pq.learners.LeveragingBagging.",
        "RandomForestClassifier": "It is pq.learners.RandomForest.",
        "DWM": "It is pq.learners.DynamicWeightedMajority.",
        "AUE2": "It is pq.learners.AccuracyUpdatedEnsemble.",
        "NoChangeClassifier": "It is pq.learners.NoChange.",
        "MajorityClassClassifier": "It is pq.learners.MajorityClass.",
        "DummyClassifier": "It is pq.learners.MajorityClass or pq.learners.NoChange.",
        "DriftRetrainingClassifier": "It is pq.learners.DriftReset.",
        "Adwin": "It is pq.drift.ADWIN.",
        "PH": "It is pq.drift.PageHinkley.",
        "binary": "DDM and EDDM are pq.drift.DDM and pq.drift.EDDM.",
        "evaluate_prequential": _EVALUATE,
        "prequential_evaluation": _EVALUATE,
        "progressive_val_score": _EVALUATE,
        "test_then_train_evaluation": _EVALUATE,
        "EvaluatePrequential": _EVALUATE,
        "cross_val_score": "Write pq.evaluate(stream, learners, protocol=pq.KFold(k, scheme)).",
        "cross_validate": "Write pq.evaluate(stream, learners, protocol=pq.KFold(k, scheme)).",
        "iter_progressive_val_score": "Write pq.evaluate(stream, learners, every=…); run.to_pandas() has all rows.",
        "evaluate_holdout": "Write pq.evaluate(stream, learners, protocol=pq.Holdout(…)).",
        "iter_arff": "Write pq.read(path).",
        "iter_csv": "Write pq.read(path).",
        "read_csv": "Write pq.read(path).",
        "read_arff": "Write pq.read(path).",
        "read_parquet": "Write pq.read(path).",
        "stream_from_file": "Write pq.read(path).",
        "CSVStream": "Write pq.read(path).",
        "ArffStream": "Write pq.read(path).",
        "NumpyStream": "Write pq.from_arrays(X, y).",
        "iter_array": "Write pq.from_arrays(X, y).",
        "iter_pandas": "Write pq.from_table(frame, target=…).",
        "from_river": "Write pq.from_iterable(dataset), or give the data set to pq.evaluate itself.",
        "from_pandas": "Write pq.from_table(frame, target=…).",
        "from_csv": "Write pq.read(path).",
        "from_numpy": "Write pq.from_arrays(X, y).",
        "open": "Write pq.load(directory) for a run, pq.read(path) for a stream.",
        "load_run": "Write pq.load(directory).",
        "score_files": "Write pq.score(path, …): it takes files too.",
        "compare_many": "Write pq.compare(run, run, …): it takes several runs.",
        "measures": "It is pq.metrics.",
        "datasets": "It is pq.streams.",
        "synth": "It is pq.streams.",
        "detectors": "It is pq.drift.",
        "drift_detection": "It is pq.drift.",
        "evaluation": _EVALUATE,
        "windows": "It is pq.forgettings.",
        "tree": "Trees are pq.learners.HoeffdingTree and pq.learners.HoeffdingAdaptiveTree.",
        "forest": "Forests are pq.learners.AdaptiveRandomForest and pq.learners.RandomForest.",
        "ensemble": "Ensembles are in pq.learners: AdaptiveRandomForest, OnlineBagging, LeveragingBagging, …",
        "naive_bayes": "It is pq.learners.NaiveBayes.",
        "SEAGenerator": "It is pq.streams.SEA.",
        "RandomRBFGenerator": "It is pq.streams.RandomRBF.",
        "RandomTreeGenerator": "It is pq.streams.RandomTree.",
        "AGRAWALGenerator": "It is pq.streams.Agrawal.",
        "AgrawalGenerator": "It is pq.streams.Agrawal.",
        "HyperplaneGenerator": "It is pq.streams.Hyperplane.",
        "LEDGenerator": "It is pq.streams.LED.",
        "ConceptDriftStream": "Write stream.drift_to(other, at=…, width=…).",
        "DriftStream": "Write stream.drift_to(other, at=…, width=…).",
        "Elec2": "Give River's data set to pq.evaluate itself, or read your file with pq.read(path).",
        "Electricity": "Read your file with pq.read(path), or give River's Elec2() to pq.evaluate.",
        "Rolling": "It is the forgetting pq.Sliding(window_size).",
        "SlidingWindow": "It is the forgetting pq.Sliding(window_size).",
        "Window": "It is the forgetting pq.Sliding(window_size).",
        "FadingFactor": "It is the forgetting pq.Fading(alpha).",
        "CrossValidation": "It is pq.KFold(k, scheme).",
        "PrequentialEvaluator": "Write pq.Scorer(metrics, forgetting, classes=…) for your own loop.",
        "ClassificationEvaluator": "Write pq.Scorer(metrics, forgetting, classes=…) for your own loop.",
        "ClassificationWindowedEvaluator": "Write pq.Scorer(metrics, pq.Sliding(1000), classes=…) for your own loop.",
        "RollingAUC": 'Write pq.Scorer("auc", pq.Sliding(1000), classes=…).',
        **_metrics(
            Accuracy="accuracy",
            accuracy_score="accuracy",
            BalancedAccuracy="balanced_accuracy",
            balanced_accuracy_score="balanced_accuracy",
            CohenKappa="kappa",
            cohen_kappa_score="kappa",
            KappaM="kappa_m",
            KappaT="kappa_t",
            F1="f1",
            MacroF1="f1_macro",
            f1_score="f1",
            Precision="precision",
            Recall="recall",
            ROCAUC="auc",
            RollingROCAUC="auc",
            roc_auc_score="auc",
            LogLoss="log_loss",
            MCC="mcc",
            matthews_corrcoef="mcc",
            GeometricMean="g_mean",
            MAE="mae",
            mean_absolute_error="mae",
            RMSE="rmse",
            MSE="mse",
            R2="r2",
            r2_score="r2",
        ),
        "accuracy": _METRIC.format("accuracy"),
        "kappa": _METRIC.format("kappa"),
        "auc": _METRIC.format("auc"),
        "ConfusionMatrix": 'Write pq.score(y_true, y_pred), or pq.evaluate(…, metrics="accuracy").',
        "wilcoxon_test": "It is pq.comparisons.wilcoxon.",
        "sklearn": "Give the estimator to pq.evaluate itself, or wrap it in pq.learners.SklearnLearner.",
        "SKClassifier": "Give the estimator to pq.evaluate itself, or wrap it in pq.learners.SklearnLearner.",
        "RiverClassifier": "Give the model of River to pq.evaluate itself.",
    },
    "Run": {
        **dict.fromkeys(
            ("to_polars", "to_parquet", "to_json", "to_excel", "head", "describe", "write_to_file"),
            "Write run.to_pandas(), or polars.DataFrame(run).",
        ),
        **dict.fromkeys(("results_", "metrics_per_window", "auc", "f1", "confusion_matrix"), _TABLE),
        **dict.fromkeys(("config", "stream", "name", "settings", "params"), "It is in run.manifest."),
        **dict.fromkeys(("elapsed", "wallclock", "runtime", "cpu_time", "time"), "run.table() has records per second."),
        "[]": "Write run.table(learners=…), or run.to_pandas().",
        **dict.fromkeys(("df", "dataframe", "data", "history", "trace", "to_df", "to_frame", "windowed"), _TRACE),
        **dict.fromkeys(
            ("results", "result", "cumulative", "summary", "metrics", "metrics_dict", "scores", "values"), _TABLE
        ),
        **dict.fromkeys(("accuracy", "kappa", "get", "score", "mean"), _TABLE),
        "report": "Write run.save_report(path).",
        "to_csv": "Write run.to_pandas().to_csv(path), or run.table().to_pandas().to_csv(path).",
        "to_dict": "Write run.table().to_dicts().",
        "show": "Write run.plot().show() or print(run.table()).",
        "savefig": "Write run.save_figure(path).",
        "ground_truth_y": "Write run.predictions(learner), after pq.evaluate(…, predictions=True).",
        "ranking": "Write run.delays.ranking() with late labels, pq.compare(run, run, …) over several streams.",
        "significance": "Write run.folds.significance().",
        "bins": "Write run.delays.bins().",
        "detections": "Write run.alarms(), or pq.detect(stream, learners, detectors).",
    },
    "Learner": {
        "__init__": "Learners are in pq.learners; to write your own, define a class with learn_one and predict_one.",
        **dict.fromkeys(("learn_one", "predict_one", "predict_proba_one", "score_one", "learn_many"), _LEARN_ONE),
        **dict.fromkeys(("fit", "partial_fit", "predict", "predict_proba", "score", "fit_predict"), _FIT),
        **dict.fromkeys(("fit_transform", "classes_", "n_features_in_", "feature_names_in_"), _FIT),
        **dict.fromkeys(("to_moa", "to_capymoa"), "Learners go to River (to_river) and scikit-learn (to_sklearn)."),
        **dict.fromkeys(("params", "parameters", "name"), "Write learner.get_params() or repr(learner)."),
        "memory_usage": "It is nbytes of the learner that fresh returns; run.table() has it, too.",
        **dict.fromkeys(("train", "get_votes_for_instance", "prepare_for_use"), _MOA),
        "reset": "Write learner.fresh(schema, seed): learners are cloned, never reset.",
        "clone": "Write copy.deepcopy(learner); pq.evaluate clones it itself.",
    },
    "ResultTable": {
        **dict.fromkeys(("sort_values", "head", "values", "loc", "iloc", "style", "columns", "to_csv"), _FRAME),
        **dict.fromkeys(("to_json", "to_excel", "to_parquet", "plot"), _FRAME),
        "to_polars": "Write polars.DataFrame(table).",
        "[]": _FRAME,
    },
    "DetectionTable": {
        "alarms": "Write detections[0].alarms, or detections.to_pandas().",
        "score": "Write detections.scores().",
    },
    "Stream": {
        "[]": "Write stream.skip(i).head(n), or stream.to_pandas().",
        **dict.fromkeys(("X", "y", "iloc", "loc", "to_numpy", "to_dict", "values"), "Write stream.to_pandas()."),
        **dict.fromkeys(("columns", "dtypes", "info"), "It is stream.schema."),
        **dict.fromkeys(("map", "filter", "shuffle", "batch"), "Change the data first, and write pq.as_stream(data)."),
        **dict.fromkeys(("n_remaining_samples", "last_sample", "reset"), _STREAM),
        "to_polars": "Write polars.DataFrame(stream.to_arrow()).",
        "plot": "Write stream.to_pandas().plot(), or pq.evaluate(stream, learners).plot().",
        "__init__": "Write pq.from_arrays(X, y), pq.read(path), pq.as_stream(…), or a generator of pq.streams.",
        **dict.fromkeys(
            ("next_instance", "next_sample", "has_more_instances", "has_more_samples", "restart", "prepare_for_use"),
            _STREAM,
        ),
        "get_schema": "It is the property stream.schema.",
        "get_moa_stream": "MOA's streams are pq.streams.SEA, pq.streams.Agrawal, …; read files with pq.read(path).",
        "n_samples": "It is stream.n_records.",
        "num_instances": "It is stream.n_records.",
        "n_classes": "It is stream.schema.n_classes.",
        "n_features": "It is stream.schema.n_features.",
        "classes": "It is stream.schema.classes.",
        "features": "It is stream.schema.features.",
        "feature_names": "It is in stream.schema.features.",
        "target": "It is stream.schema.target.",
        "shape": "It is (stream.n_records, stream.schema.n_features).",
        "df": "Write stream.to_pandas().",
        "to_csv": "Write pq.write(stream, path).",
        "save": "Write pq.write(stream, path).",
        "add_drift": "Write stream.drift_to(other, at=…, width=…).",
        "limit": "Write stream.take(n).",
        "sample": "Write stream.take(n).",
        "tail": "Write stream.skip(n).",
        "drift": "Write stream.drift_to(other, at=…, width=…); the list of drifts is stream.drifts.",
    },
    "Schema": {
        "get_num_classes": "It is schema.n_classes.",
        "get_num_attributes": "It is schema.n_features.",
        "get_label_values": "It is schema.classes.",
        "labels": "It is schema.classes.",
    },
    "Protocol": {"__init__": "Write pq.Prequential(), pq.Holdout(…), pq.KFold(…) or pq.Delayed(…)."},
    "Generator": {"__init__": "Generators are in pq.streams: SEA, Agrawal, RandomRBF, …"},
    "DetectorState": {
        **dict.fromkeys(("add_element", "add", "learn_one", "input"), "Write state.update(value)."),
        **dict.fromkeys(
            ("detected_change", "change_detected", "in_drift", "drift", "detected"), "It is state.drift_detected."
        ),
        **dict.fromkeys(
            ("detected_warning", "warning_detected", "in_warning_zone"), "Detectors give alarms, no warnings."
        ),
        **dict.fromkeys(
            ("width", "estimation", "n_detections", "total", "variance"), "It has update and drift_detected."
        ),
    },
    "Detector": {
        "__init__": "Detectors are pq.drift.ADWIN, DDM, EDDM, PageHinkley and Ratio.",
        **dict.fromkeys(
            ("update", "add_element", "drift_detected", "detected_change", "detected_warning", "change_detected"),
            f"{_DETECTOR} For River, write detector.to_river(); for a whole series, detector.detect(series).",
        ),
        **dict.fromkeys(("reset", "clone"), "Write detector.fresh(), a new state."),
    },
    "detect()": {
        "learners": "It watches learners: pq.detect(stream, learners, detectors). None watches the targets of a "
        "regression stream; detector.detect(series) watches a series of numbers.",
        "detectors": 'Write pq.detect(stream, learners, "adwin"); for a series of numbers, detector.detect(series).',
    },
    "Scorer": {
        **dict.fromkeys(("get", "result", "score", "accuracy", "metrics", "compute", "results"), _SCORER),
        "update_state": _SCORER,
        "roc_auc": _SCORER,
    },
}


def advice(owner: str, name: str) -> str | None:
    """Return what to write instead of a name that does not exist, as a sentence; None if nothing is known.

    Parameters
    ----------
    owner
        The module, ``pq``, ``pq.learners``, …, or the class of the object.
    name
        The name.

    Examples
    --------
    >>> advice("Stream", "get_schema"), advice("Stream", "nothing_like_it")
    ('It is the property stream.schema.', None)
    """
    return _ELSEWHERE.get(owner, {}).get(name)
