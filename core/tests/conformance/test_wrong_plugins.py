"""Each wrong plugin breaks one promise, and exactly the test of that promise fails."""

import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from fairtrial.conformance import run_kit
from fairtrial.conformance.base import Conformance

WRONG = {
    "wrong_answerers:ThawedAnswerer": "test_it_is_what_its_kind_asks_for",
    "wrong_answerers:PositionalAnswerer": "test_fields_are_given_by_name",
    "wrong_answerers:UnexplainedAnswerer": "test_every_field_is_explained",
    "wrong_answerers:TalkativeAnswerer": "test_no_secret_is_shown",
    "wrong_answerers:SharingAnswerer": "test_two_instances_share_no_state",
    "wrong_answerers:ForgettingAnswerer": "test_fields_go_through_a_config_and_back",
    "wrong_noise:NoisyAnswerer": "test_importing_it_does_no_work",
    "wrong_answerers:HelplessAnswerer": "test_a_question_without_options_is_answered",
    "wrong_answerers:InventiveAnswerer": "test_only_what_is_offered_is_picked",
    "wrong_answerers:GreedyAnswerer": "test_one_of_several_is_picked_where_one_is_asked_for",
    "wrong_answerers:FickleAnswerer": "test_the_same_question_gets_the_same_answer",
    "wrong_selectors:CountingSelector": "test_it_picks_one_of_those_it_was_given",
    "wrong_selectors:PlaceSelector": "test_gaps_in_the_rollouts_are_minded",
    "wrong_selectors:FickleSelector": "test_the_same_attempts_give_the_same_pick",
    "wrong_selectors:HopefulSelector": "test_attempts_that_changed_nothing_can_be_chosen_from",
    "wrong_selectors:PeekingSelector": "test_it_peeks_only_if_it_says_so",
    "wrong_selectors:TouchingSelector": "test_it_touches_nothing_but_its_session",
    "wrong_selectors:BrokeSelector": "test_no_money_left_is_told_and_nothing_else",
    "wrong_answerers:NamelessAnswerer": "test_who_answered_is_said",
    "wrong_answerers:FragileAnswerer": "test_hard_questions_never_raise",
    "wrong_answerers:DiaryAnswerer": "test_it_touches_nothing",
    "wrong_reporters:DatedReporter": "test_equal_records_give_equal_documents",
    "wrong_reporters:StrayReporter": "test_a_document_has_a_plain_name",
    "wrong_reporters:DividingReporter": "test_an_empty_run_is_reported",
    "wrong_reporters:CheapReporter": "test_what_is_not_known_is_a_dash",
    "wrong_reporters:WritingReporter": "test_it_touches_nothing",
    "wrong_reporters:CarelessReporter": "test_the_wrong_number_of_runs_is_a_config_error",
    "wrong_reporters:DeafReporter": "test_another_record_gives_another_document",
    "wrong_auditors:SuspiciousAuditor": "test_an_honest_attempt_is_clean",
    "wrong_auditors:LenientAuditor": "test_no_log_is_not_clean",
    "wrong_auditors:FragileAuditor": "test_hard_evidence_never_raises",
    "wrong_auditors:BlindAuditor": "test_a_planted_shortcut_is_found_and_located",
    "wrong_auditors:VagueAuditor": "test_a_planted_shortcut_is_found_and_located",
    "wrong_auditors:UnruledAuditor": "test_a_finding_is_well_formed",
    "wrong_auditors:CuriousAuditor": "test_it_reads_evidence_and_nothing_else",
    "wrong_auditors:FickleAuditor": "test_the_same_evidence_gives_the_same_findings",
    "wrong_meters:RaisingMeter": "test_probe_never_raises",
    "wrong_meters:SilentMeter": "test_probe_never_raises",
    "wrong_meters:RawErrorMeter": "test_open_without_a_counter_is_a_machine_error",
    "wrong_meters:NegativeMeter": "test_readings_belong_to_counters",
    "wrong_meters:FallingMeter": "test_a_count_of_energy_never_falls",
    "wrong_meters:OwnClockMeter": "test_a_reading_is_dated_by_the_host",
    "wrong_meters:OnceMeter": "test_close_may_be_called_twice",
    "wrong_meters:BusyMeter": "test_threads_may_read_at_once",
    "wrong_meters:SlowMeter": "test_open_is_quick",
    "wrong_gateways:LeakyGateway": "test_the_agent_gets_no_provider_key",
    "wrong_gateways:StaleGateway": "test_nothing_is_metered_before_a_request",
    "wrong_gateways:OnceGateway": "test_close_may_be_called_twice",
    "wrong_gateways:LoggingGateway": "test_a_label_is_only_a_label",
    "wrong_gateways:ThreadedGateway": "test_nothing_is_left_running",
    "wrong_gateways:SocketGateway": "test_a_socket_that_is_named_is_there",
    "wrong_suites:RandomSuite": "test_seeding_twice_gives_equal_bytes",
    "wrong_suites:GenerousSuite": "test_a_bare_tree_is_not_resolved",
    "wrong_suites:OptimisticSuite": "test_no_test_ran_is_not_passed",
    "wrong_suites:HarshSuite": "test_no_test_ran_is_not_passed",
    "wrong_suites:NarrowSuite": "test_the_reference_resolves",
    "wrong_suites:UselessReferenceSuite": "test_the_reference_resolves",
    "wrong_suites:LeakySuite": "test_the_tree_holds_no_answer",
    "wrong_suites:HistorySuite": "test_the_tree_holds_no_answer",
    "wrong_suites:OpenTestsSuite": "test_protected_paths_buy_nothing",
    "wrong_suites:TwinSuite": "test_tasks_are_well_named",
    "wrong_suites:UndigestedSuite": "test_tasks_are_well_named",
    "wrong_suites:ShuffledSuite": "test_tasks_are_the_same_each_time",
    "wrong_suites:StrayingSuite": "test_it_writes_into_its_workspace_only",
    "wrong_suites:MisdatedSuite": "test_the_version_is_said",
    "wrong_suites:FickleSuite": "test_grading_twice_agrees",
    "wrong_solvers:RaisingSolver": "test_a_crash_is_told_and_not_raised",
    "wrong_solvers:SilentCrashSolver": "test_a_crash_is_told_and_not_raised",
    "wrong_solvers:AlwaysDoneSolver": "test_the_time_limit_is_honoured",
    "wrong_solvers:OrphaningSolver": "test_no_child_is_left",
    "wrong_solvers:StrayingSolver": "test_nothing_is_written_elsewhere",
    "wrong_solvers:PeekingSolver": "test_checks_and_references_are_not_looked_for",
    "wrong_solvers:EscapingSolver": "test_programs_start_through_the_workspace",
    "wrong_solvers:ArgumentSolver": "test_hard_prompts_are_prompts",
    "wrong_solvers:RememberingSolver": "test_two_attempts_at_once_do_not_meet",
    "wrong_solvers:AskingSolver": "test_questions_are_asked_as_declared",
    "wrong_solvers:BlamingSolver": "test_a_missing_program_is_not_the_agents_fault",
    "wrong_solvers:GloomySolver": "test_what_it_lacks_an_attempt_lacks_too",
    "wrong_solvers:HastySolver": "test_what_it_lacks_an_attempt_lacks_too",
    "wrong_sandboxes:MergingSandbox": "test_exit_code_and_streams_are_apart",
    "wrong_sandboxes:CutSilentlySandbox": "test_too_much_output_is_cut_and_told",
    "wrong_sandboxes:OpenHandedSandbox": "test_only_a_small_environment_is_inherited",
    "wrong_sandboxes:ForgetfulSandbox": "test_cpu_time_is_whole_or_not_known",
    "wrong_sandboxes:BoastfulSandbox": "test_what_is_kept_is_told",
    "wrong_sandboxes:LeavingSandbox": "test_a_timeout_ends_grandchildren",
    "wrong_sandboxes:RestlessSandbox": "test_settling_ends_what_runs_and_keeps_the_tree",
    "wrong_sandboxes:ObedientSandbox": "test_a_fence_that_is_required_is_kept_or_refused",
}


def kit_for(kind: str) -> Conformance:
    kit: type[Conformance] = importlib.import_module("kits").KITS[kind]
    return kit()


def failed(kit: Conformance, plugin: object) -> list[str]:
    return [one.name for one in run_kit(kit, plugin) if one.passed is not True]


@pytest.fixture
def no_orphans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends what a wrong sandbox leaves running, known by its room; others test at the same time."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    for process in psutil.process_iter():
        if "SIG_IGN" in (command := " ".join(_command(process))) and str(tmp_path) in command:
            process.kill()


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.usefixtures("no_orphans")
@pytest.mark.parametrize(("place", "test"), WRONG.items(), ids=WRONG)
def test_exactly_the_test_of_its_promise_fails(place: str, test: str) -> None:
    module, _, name = place.partition(":")
    kind = next(
        kind for kind in importlib.import_module("kits").KITS if name.lower().endswith(kind)
    )

    plugin = getattr(importlib.import_module(module), name)()

    assert [test] == failed(kit_for(kind), plugin)


def test_a_budget_that_is_not_kept_fails_its_test_alone() -> None:
    budgets = importlib.import_module("kits").Budgets()
    gateway = importlib.import_module("wrong_gateways").BudgetGateway

    assert [] == failed(budgets, gateway())
    assert ["test_a_spent_budget_is_the_end"] == failed(budgets, gateway(enforces=False))
    assert ["test_a_part_of_a_budget_ends_alone"] == failed(budgets, gateway(parts=False))


def test_an_estimate_that_says_measured_fails_its_test_alone() -> None:
    honest = type(kit_for("meter"))
    estimating = type("Estimating", (honest,), {"estimates": True})()
    meter = importlib.import_module("fairtrial.conformance.skeletons.meter").EchoMeter()

    assert ["test_an_estimate_never_says_measured"] == failed(estimating, meter)


def test_a_broken_trial_that_stops_a_report_fails_both_tests_of_it() -> None:
    reporter = importlib.import_module("wrong_reporters").TrustingReporter()

    assert [
        "test_a_broken_trial_is_reported",
        "test_what_is_not_known_is_a_dash",
    ] == failed(kit_for("reporter"), reporter)


def test_a_slow_report_fails_its_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.conformance.reporter.BIG_LIMIT_S", 0.1)
    reporter = importlib.import_module("wrong_reporters").SlowReporter()

    assert ["test_ten_thousand_trials_take_less_than_five_seconds"] == failed(
        kit_for("reporter"), reporter
    )


def test_the_wrong_entry_point_fails_its_test_alone() -> None:
    named = type("Named", (type(kit_for("answerer")),), {"entry_point": "prefer"})()
    answerer = importlib.import_module("fairtrial.conformance.skeletons.answerer").EchoAnswerer()

    assert ["test_the_entry_point_leads_to_it"] == failed(named, answerer)
