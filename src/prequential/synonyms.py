"""Words of River, scikit-learn, MOA and others for our parameters, so that a message can suggest ours."""

from __future__ import annotations

from collections.abc import Collection

_OURS: dict[str, tuple[str, ...]] = {
    "n_models": ("n_estimators", "ensemble_size", "n_members", "num_models", "n_classifiers", "n_learners"),
    "n_neighbors": ("k", "n_neighbours", "neighbors", "num_neighbors"),
    "k": ("folds", "n_folds", "n_splits", "num_folds", "cv", "n_neighbors"),
    "window_size": ("window", "w", "limit", "window_length", "max_window_size", "win_size", "width", "n_records"),
    "max_bytes": ("max_depth", "max_size", "max_byte_size", "memory_limit", "max_nodes"),
    "seed": ("random_state", "random_seed", "rng", "rng_seed", "instance_random_seed"),
    "learning_rate": ("lr", "eta", "eta0", "step_size"),
    "l2": ("alpha", "penalty", "l2_reg", "regularization", "reg"),
    "delta": ("split_confidence", "confidence", "warning_delta"),
    "tau": ("tie_threshold",),
    "split_criterion": ("criterion",),
    "standardise": ("standardize", "scale", "normalize"),
    "lambda_": ("lambda_value", "lambda", "lam", "poisson_lambda"),
    "threshold": ("lambda_", "lambda", "lambda_value", "lam"),
    "level": ("out_control_level", "drift_level", "drift_threshold"),
    "min_records": ("min_instances", "min_num_instances", "min_n_instances", "min_samples", "warm_start"),
    "base": ("base_estimator", "estimator", "base_learner", "model", "learner", "classifier"),
    "learners": ("model", "models", "learner", "classifier", "classifiers", "estimator", "estimators"),
    "stream": ("dataset", "data", "source", "X"),
    "metrics": ("metric", "measures", "measure", "scoring", "eval_metrics"),
    "metric": ("metrics", "measure"),
    "protocol": ("evaluation", "evaluator", "cv", "scheme"),
    "forgetting": ("window", "window_size", "forget", "decay", "fading_factor"),
    "every": ("interval", "frequency", "sample_frequency", "eval_every", "print_every", "step", "show_steps"),
    "detectors": ("detector", "drift_detector", "drift_detectors"),
    "detector": ("detectors", "drift_detector"),
    "directory": ("path", "output", "outdir", "output_dir", "out", "save_path"),
    "workers": ("n_jobs", "num_workers", "n_workers", "processes", "cores"),
    "progress": ("verbose", "progress_bar", "show_progress"),
    "positive": ("pos_label", "positive_class", "pos_val"),
    "chunk_size": ("batch_size", "chunksize", "mini_batch_size"),
    "n": ("n_samples", "n_records", "size", "max_records", "n_instances", "take"),
    "alpha": ("decay", "fading_factor", "factor", "significance", "level"),
    "psi_alpha": ("alpha", "alphas"),
    "target": ("label", "labels", "y", "class_column", "target_name", "label_column", "class_index"),
    "nominal": ("nominal_attributes", "cat_features", "categorical", "categorical_features", "categorical_columns"),
    "separator": ("sep", "delimiter"),
    "missing": ("na_values", "missing_values", "null_values"),
    "ignore": ("drop", "exclude", "skip_columns"),
    "time": ("timestamp", "time_column", "date", "datetime"),
    "weight": ("w", "weights", "sample_weight", "sample_weights"),
    "p_value": ("p", "pvalue"),
    "concept": ("classification_function", "function", "variant", "concept_id"),
    "noise": ("noise_percentage", "noise_std", "noise_level", "perturbation"),
    "at": ("position", "start", "where"),
    "low": ("least", "min", "minimum", "lower"),
    "high": ("most", "max", "maximum", "upper"),
    "mean": ("scale", "rate"),
    "test": ("test_data", "test_set", "test_stream", "X_test"),
    "share": ("test_size", "ratio", "fraction", "probability"),
    "random_state": ("seed", "random_seed"),
    "n_drifting": ("n_drift_features", "n_features_with_drift", "num_drift_centroids", "n_drift_centroids"),
    "model_seed": ("seed_model", "model_random_seed", "seed_tree"),
    "n_features": ("n_irrelevant", "irrelevant_features"),
    "y_pred": ("prediction", "predictions", "y_hat"),
    "y_score": ("scores", "probabilities", "y_proba", "y_prob", "proba"),
    "y": ("y_true", "label", "target"),
    "prediction": ("y_pred", "predicted", "y_hat"),
    "scores": ("y_score", "y_proba", "y_prob", "proba", "probabilities"),
}


def ours(word: str, known: Collection[str]) -> str | None:
    """Return the known parameter that has another name elsewhere; None if there is none.

    Examples
    --------
    >>> ours("n_estimators", ["base", "n_models"]), ours("k", ["n_neighbors"]), ours("k", ["seed"])
    ('n_models', 'n_neighbors', None)
    """
    word = word.casefold()
    return next((name for name, others in _OURS.items() if name in known and word in map(str.casefold, others)), None)
