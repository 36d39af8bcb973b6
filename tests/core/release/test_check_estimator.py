"""scikit-learn's own checks of an estimator, and why some of them do not apply."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.utils.estimator_checks import check_estimator

from privbo_core.sklearn import PrivateSearchCV
from tests.helpers.amounts import few

ALIKE = {"max_iter": [200, 201]}
"""Settings that train alike: the checks compare fits, and what is published is drawn anew in each."""
NO_MODEL = "without refit=True there is no model that predicts"
NO_REASON = "what an estimator raises in training is about the records, so without refit=True it is not passed on"
WITHOUT_A_MODEL = {
    "check_classifier_data_not_an_array": NO_MODEL,
    "check_classifiers_classes": NO_MODEL,
    "check_classifiers_one_label": NO_MODEL,
    "check_classifiers_one_label_sample_weights": NO_MODEL,
    "check_classifiers_regression_target": NO_REASON,
    "check_classifiers_train": NO_MODEL,
    "check_complex_data": NO_REASON,
    "check_dtype_object": NO_REASON,
    "check_estimators_empty_data_messages": NO_REASON,
    "check_estimators_nan_inf": NO_REASON,
    "check_supervised_y_2d": NO_MODEL,
}


def failed(search, expected):
    """Return the checks that failed though nothing was expected, and those that did not though it was."""
    search.set_params(parts=2, cv=2, random_state=0)
    results = check_estimator(search, expected_failed_checks=expected, on_fail=None, on_skip=None)
    assert len(results) > 40
    unexpected = [(one["check_name"], one["exception"]) for one in results if one["status"] == "failed"]
    expected_to = {one["check_name"] for one in results if one["status"] == "xfail"}
    return unexpected, set(expected) - expected_to


@pytest.mark.parametrize("estimator", few([Ridge()], [LogisticRegression(), Ridge()]))
@pytest.mark.filterwarnings("ignore")
def test_with_a_model_all_checks_pass(estimator):
    assert failed(PrivateSearchCV(estimator, ALIKE, epsilon=1.0, refit=True), {}) == ([], set())


@pytest.mark.filterwarnings("ignore")
def test_without_a_model_only_the_expected_checks_fail():
    search = PrivateSearchCV(LogisticRegression(), ALIKE, epsilon=1.0)
    assert failed(search, WITHOUT_A_MODEL) == ([], set())
