"""Names that other libraries have for the metrics, so that an unknown name can suggest the right one."""

from __future__ import annotations

from collections.abc import Iterable

from prequential.wording import suggestion

_SYNONYMS = {
    "accuracy_score": "accuracy",
    "acc": "accuracy",
    "error_rate": "error",
    "zero_one_loss": "error",
    "roc_auc": "auc",
    "rocauc": "auc",
    "roc_auc_score": "auc",
    "auroc": "auc",
    "auc_roc": "auc",
    "m_measure": "auc_hand_till",
    "average_precision_score": "average_precision",
    "auprc": "average_precision",
    "pr_auc": "average_precision",
    "a_mean": "balanced_accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "bac": "balanced_accuracy",
    "gmean": "g_mean",
    "geometric_mean": "g_mean",
    "geometric_mean_score": "g_mean",
    "cohen_kappa": "kappa",
    "cohenkappa": "kappa",
    "cohen_kappa_score": "kappa",
    "kappa_majority": "kappa_m",
    "kappa_per": "kappa_t",
    "kappa_temporal": "kappa_t",
    "kappa_persistent": "kappa_t",
    "matthews_corrcoef": "mcc",
    "matthews": "mcc",
    "determinant": "cmd",
    "confusion_matrix_determinant": "cmd",
    "normalized_accuracy": "normalised_accuracy",
    "precision_score": "precision",
    "ppv": "precision",
    "recall_score": "recall",
    "sensitivity": "recall",
    "tpr": "recall",
    "f1_score": "f1",
    "f_score": "f1",
    "f_measure": "f1",
    "macro_f1_score": "macro_f1",
    "f1_macro": "macro_f1",
    "macrof1": "macro_f1",
    "precision_macro": "macro_precision",
    "recall_macro": "macro_recall",
    "expected_calibration_error": "ece",
    "calibration_error": "ece",
    "cross_entropy": "log_loss",
    "crossentropy": "log_loss",
    "logloss": "log_loss",
    "neg_log_loss": "log_loss",
    "brier_score": "brier",
    "brier_score_loss": "brier",
    "mean_absolute_error": "mae",
    "neg_mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "neg_mean_squared_error": "mse",
    "root_mean_squared_error": "rmse",
    "r2_score": "r2",
    "r_squared": "r2",
}


def metric_suggestion(word: object, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for the metric that a word stands for elsewhere, or else the closest name.

    Examples
    --------
    >>> metric_suggestion("roc_auc", ["accuracy", "auc"]), metric_suggestion("acuracy", ["accuracy", "auc"])
    (" Did you mean 'auc'?", " Did you mean 'accuracy'?")
    """
    known = list(known)
    meant = _SYNONYMS.get(str(word).strip().lower().replace("-", "_").replace(" ", "_"))
    return f" Did you mean {meant!r}?" if meant in known else suggestion(word, known)
