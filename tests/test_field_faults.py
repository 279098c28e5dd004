"""
Faults that users of other harnesses reported, and the tests that hold them.

Each row is one kind of fault, by the public issues in which it was seen. The tests named beside it
fail if fairtrial has that fault; a word in brackets is one of a test's cases.
"""

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NODE = re.compile(r"(?P<file>[\w/.-]+\.py)::(?P<test>test_\w+)(?:\[(?P<case>[\w ./-]+)\])?")
ISSUE = re.compile(r"[\w.-]+(?:/[\w.-]+)?(?:#\d+|@[0-9a-f]{7,})")

AGENTS = "core/tests/agents"
CLI = "core/tests/cli"
CLAUDE = "plugins/solvers/claude/tests"
CODEX = "plugins/solvers/codex/tests"
ENGINE = "core/tests/engine"
FIGURES = "core/tests/figures"
FOLDER = "plugins/suites/folder/tests"
GEMINI = "plugins/solvers/gemini/tests"
PROCESSES = "core/tests/processes"
PROXY = "plugins/gateways/proxy/tests"
TRAJECTORY = "plugins/auditors/trajectory/tests"

AGENT_COMMAND_LINES: Mapping[str, tuple[str, ...]] = {
    "never exits after its result: anthropics/claude-code#25629, apache/maka#72": (
        f"{AGENTS}/test_driving.py::test_a_program_that_stays_after_its_last_event_is_ended_and_has_succeeded",
        f"{CLAUDE}/test_hangs.py::test_a_program_that_stays_after_its_result_has_succeeded",
    ),
    "waits for the end of its stdin: multica#592, ruflo#1111, ralph#170": (
        f"{AGENTS}/test_driving.py::test_stdin_is_closed_so_that_nothing_waits_for_its_end",
        f"{CLAUDE}/test_hangs.py::test_a_program_that_reads_its_stdin_to_the_end_is_not_kept_waiting",
        "plugins/solvers/command/tests/test_solver.py::test_streams_are_kept_apart_and_stdin_is_closed",
    ),
    "hangs on an open stdin that is no terminal: openai/codex#20919": (
        f"{CODEX}/test_hangs.py::test_a_program_that_reads_its_stdin_to_the_end_is_not_kept_waiting",
    ),
    "no token counts in some session files: openai/codex#9660": (
        f"{CODEX}/test_transcript.py::test_files_without_token_counts_are_not_known_to_be_free",
    ),
    "totals told again and again, and by forks: ccusage#1288": (
        f"{CODEX}/test_transcript.py::test_a_total_that_is_told_again_adds_nothing",
        f"{CODEX}/test_transcript.py::test_a_fork_adds_only_what_its_parent_had_not",
    ),
    "one message told many times: ccusage#985, TokenTracker#62, vibeusage#152, "
    "ClaudeCodeUsage#92": (
        f"{CLAUDE}/test_transcript.py::test_a_message_that_is_told_many_times_is_counted_once",
    ),
    "the first of them has not all of the output: codeburn#201": (
        f"{CLAUDE}/test_transcript.py::test_of_a_messages_figures_the_last_ones_count",
        f"{CLAUDE}/test_transcript.py::test_a_killed_run_without_files_has_no_known_output",
        f"{AGENTS}/test_tokens.py::test_a_call_is_counted_once_and_as_it_was_told_last",
    ),
    "one message in several session files: ccusage#1762": (
        f"{CLAUDE}/test_transcript.py::test_a_message_in_several_session_files_is_counted_once",
    ),
    "cache reads at the full price: litellm#6215, litellm#11364, openlit#1378, agentweave#99, "
    "strands#3212, aaif-goose/goose#10430": (
        f"{PROXY}/test_forms.py::test_what_passes_is_unchanged_and_metered_to_the_token_and_the_cent[anthropic]",
        f"{PROXY}/test_forms.py::test_what_passes_is_unchanged_and_metered_to_the_token_and_the_cent[chat]",
        f"{PROXY}/test_forms.py::test_what_passes_is_unchanged_and_metered_to_the_token_and_the_cent[responses]",
        f"{PROXY}/test_forms.py::test_what_passes_is_unchanged_and_metered_to_the_token_and_the_cent[gemini]",
        f"{PROXY}/test_prices.py::test_each_bucket_has_its_own_price",
        f"{PROXY}/test_prices.py::test_each_providers_convention_becomes_disjoint_buckets",
        f"{AGENTS}/test_tokens.py::test_three_conventions_give_the_same_buckets",
        f"{CLAUDE}/test_transcript.py::test_cached_tokens_are_not_billed_as_fresh_ones",
        f"{CODEX}/test_transcript.py::test_cached_tokens_are_not_billed_as_fresh_ones",
        f"{GEMINI}/test_transcript.py::test_thoughts_are_billed_and_cached_tokens_are_not_counted_twice",
    ),
    "retries, loops and logins that a headless run doesn't show: gemini-cli#20275": (
        f"{GEMINI}/test_transcript.py::test_requests_that_it_tried_again_are_told_though_its_stream_is_silent",
        f"{GEMINI}/test_transcript.py::test_a_loop_that_it_tells_is_seen",
        f"{GEMINI}/test_transcript.py::test_an_end_that_is_no_good_one_says_whose_fault_it_is[A loop was detected]",
        f"{GEMINI}/test_transcript.py::test_its_exit_statuses_are_known",
        f"{AGENTS}/test_driving.py::test_what_only_stderr_tells_is_in_the_trajectory_without_keys",
    ),
    "a limit of −1 seconds, prompts without end, stdin that is inherited, output that is cut too "
    "late: evalscope#1688, evalscope#1685, SWE-ReX#281": (
        f"{PROCESSES}/test_running.py::test_no_time_at_all_is_no_time_without_end",
        f"{PROCESSES}/test_running.py::test_a_program_that_asks_again_and_again_is_ended_by_its_limit",
        f"{PROCESSES}/test_running.py::test_a_program_without_stdin_reads_its_end_at_once",
        f"{PROCESSES}/test_running.py::test_a_program_never_gets_the_users_terminal",
        f"{PROCESSES}/test_running.py::test_output_without_end_is_cut_while_it_comes",
        f"{PROCESSES}/test_output.py::test_what_is_kept_is_the_first_and_the_last_part",
        f"{AGENTS}/test_driving.py::test_a_gigabyte_of_output_is_read_in_little_memory",
    ),
    "a number of another library lost results: OpenHands/benchmarks#564": (
        f"{ENGINE}/test_salvage.py::test_a_number_of_another_library_is_a_number",
        f"{ENGINE}/test_salvage.py::test_an_odd_value_makes_its_own_trial_infra_and_loses_no_other",
        f"{ENGINE}/test_salvage.py::test_what_an_attempt_cost_is_kept_beside_an_odd_value",
        "core/tests/serial/test_records.py::test_a_number_of_another_library_is_written_as_one",
    ),
    "one bad log ended the whole grading: OpenHands/benchmarks#712": (
        f"{CLI}/test_again.py::test_a_torn_artifact_leaves_its_own_trial_as_it_was_and_no_other",
        f"{ENGINE}/test_insight.py::test_no_garbled_log_breaks_a_trial",
        f"{ENGINE}/test_journal.py::test_rubbish_in_the_journal_is_passed_over",
    ),
    "a resumed run put out nothing: OpenHands/benchmarks#737": (
        f"{CLI}/test_run.py::test_a_resumed_run_reports_what_was_done_before_it_too",
    ),
    "the work of failed attempts was lost: OpenHands/benchmarks#740, SWE-agent/mini-swe-agent#585": (
        f"{ENGINE}/test_trial.py::test_what_a_failed_attempt_left_is_kept_to_the_byte",
        f"{ENGINE}/test_trial.py::test_what_is_left_is_kept_when_the_solver_or_the_grader_raises",
    ),
    "an end and a limit at the same time: OpenHands/benchmarks#751": (
        f"{AGENTS}/test_driving.py::test_the_end_that_an_agent_told_in_time_counts_though_it_lingers_past_its_time",
        f"{ENGINE}/test_trial.py::test_a_solver_that_hides_its_lateness_is_timed_out_all_the_same",
        f"{PROCESSES}/test_link.py::test_an_end_that_comes_too_late_does_not_hit_the_next_program",
    ),
    "a cost that was not yet committed counted as 0: OpenHands/benchmarks#639, "
    "OpenHands/benchmarks#638": (
        f"{ENGINE}/test_trial.py::test_what_a_gateway_counts_at_the_very_end_is_in_the_record",
        f"{PROXY}/test_ends.py::test_a_reply_whose_agent_hung_up_is_read_to_its_end",
        f"{PROXY}/test_ends.py::test_a_cut_stream_is_cut_for_the_agent_and_has_no_known_cost",
    ),
    "the load of a machine decided what was resolved: OpenHands/benchmarks#140": (
        f"{CLI}/test_flaky_tasks.py::test_stored_trees_are_judged_the_same_however_many_are_graded_at_once",
        f"{CLI}/test_flaky_tasks.py::test_the_rate_is_measured_and_the_line_to_write_is_told",
        f"{CLI}/test_flaky_tasks.py::test_it_is_out_of_the_headline_and_the_report_says_so",
        f"{ENGINE}/test_lock.py::test_a_run_that_another_grader_would_judge_is_not_resumed",
        f"{FIGURES}/test_compare.py::test_another_version_of_the_suite_is_warned_of",
    ),
    "the fix was in the history: OpenHands/benchmarks#421": (
        f"{FOLDER}/test_repository.py::test_nothing_of_a_source_s_past_or_future_comes_along",
        f"{FOLDER}/test_repository.py::test_the_check_names_whatever_is_more_than_one_commit",
        f"{FOLDER}/test_sources.py::test_a_revision_of_a_repository_comes_without_its_history",
        f"{TRAJECTORY}/test_first_set.py::test_history_is_mined",
    ),
    "the fix was in an installed, or a newer, copy of the library: OpenHands/benchmarks#687, "
    "OpenHands/benchmarks#691, OpenHands/benchmarks#676": (
        f"{TRAJECTORY}/test_second_set.py::test_the_installed_copy_is_told_from_a_dependency",
        f"{TRAJECTORY}/test_second_set.py::test_a_command_is_seen_for_what_it_does[python -m pip download cart]",
        f"{TRAJECTORY}/test_auditor.py::test_the_patch_says_which_package_is_worked_on",
    ),
}

RUNS: Mapping[str, tuple[str, ...]] = {
    "killed, and nothing can be gone on with: valbaudo/dawn#15, marin#7835": (
        f"{CLI}/test_run.py::test_a_run_that_was_killed_loses_the_trial_under_way_and_nothing_else",
        f"{PROCESSES}/test_running.py::test_a_killed_harness_leaves_nobody",
        f"{PROCESSES}/test_leftovers.py::test_what_a_killed_harness_left_is_removed_and_what_is_in_use_is_not",
        f"{ENGINE}/test_journal.py::test_a_torn_last_line_is_passed_over_and_does_not_swallow_the_next",
    ),
    "a background process writes after the verdict: hud-python#526": (
        f"{ENGINE}/test_trial.py::test_a_background_writer_is_dead_before_the_tree_is_read",
    ),
    "the agent is never told its deadline: tetsuo-ai/agenc-core#2517": (
        "plugins/solvers/command/tests/test_solver.py::test_every_placeholder_is_filled_in",
        f"{AGENTS}/test_outfit.py::test_an_agent_is_told_how_long_it_has",
        "plugins/solvers/acp/tests/test_solver.py::test_it_is_told_how_long_it_has",
    ),
    "what a timed-out attempt left is thrown away: CherryHQ/stella#1080, marin#8947": (
        f"{ENGINE}/test_trial.py::test_what_a_timed_out_attempt_left_is_graded_but_cannot_pass",
    ),
    "a run isn't resumed for a port that changed: OpenThoughts-Agent#27": (
        f"{ENGINE}/test_lock.py::test_hosts_ports_paths_and_secrets_are_no_part_of_a_run",
    ),
    "a broken harness scores 0: scaleapi/vero#53": (
        f"{ENGINE}/test_trial.py::test_a_grader_that_breaks_is_infra_and_the_cost_is_kept",
        f"{ENGINE}/test_gates.py::test_too_many_broken_trials_refuse_a_headline",
    ),
    "broken trials vanish from the denominator: inspect_ai#3707, inspect_ai#4286": (
        f"{FIGURES}/test_tally.py::test_ten_broken_trials_of_a_hundred_stay_in_the_denominator",
        f"{FIGURES}/test_scorecard.py::test_what_was_planned_and_never_ran_is_in_the_denominator",
    ),
    "a limit ends the client and not the program: inspect_ai#1357, inspect_ai#2779, "
    "SWE-agent/mini-swe-agent#826": (
        f"{PROCESSES}/test_escapes.py::test_nothing_outlives_a_program_that_is_out_of_time",
        f"{PROCESSES}/test_escapes.py::test_nothing_is_alive_after_200_random_trials_of_tricks",
    ),
    "output before a limit is thrown away: inspect_ai#1979, inspect_ai#4108": (
        f"{PROCESSES}/test_running.py::test_what_was_printed_before_a_timeout_is_kept",
    ),
    "two interrupts are needed and none is obeyed: inspect_ai#509": (
        f"{ENGINE}/test_crew.py::test_the_first_interrupt_finishes_what_runs_and_starts_no_more",
        f"{ENGINE}/test_crew.py::test_the_second_interrupt_leaves_at_once",
    ),
    "a cap on dollars that starts trials it can't pay for: SWE-agent#979": (
        f"{ENGINE}/test_budget.py::test_a_trial_whose_cap_fits_only_without_those_under_way_waits_until_one_has_ended",
    ),
    "a question waits for a terminal that isn't there: SWE-agent/mini-swe-agent#850": (
        "plugins/answerers/human/tests/test_human.py::test_without_a_terminal_nobody_is_asked",
    ),
}

GRADING: Mapping[str, tuple[str, ...]] = {
    "a check of which no test ran passes: SWE-bench@395389c": (
        f"{FOLDER}/test_grading.py::test_no_test_ran_is_a_fault_of_the_grader",
    ),
    "configuration of the test runner decides: SWE-bench#631": (
        f"{ENGINE}/test_cleanroom.py::test_what_a_runner_executes_stays_outside_and_is_named",
        f"{FOLDER}/test_grading.py::test_what_is_done_to_the_tests_changes_nothing",
    ),
    "a verdict that is printed is believed: SWE-bench#601, SWE-bench#608": (
        f"{FOLDER}/test_probes.py::test_code_can_not_end_a_script_of_a_check_in_its_name",
        f"{FOLDER}/test_grading.py::test_a_runner_that_exits_well_without_a_word_was_tampered_with",
    ),
    "patches that lose bytes: SWE-bench#345, SWE-bench#145": (
        f"{FOLDER}/test_unified.py::test_what_git_writes_is_applied_byte_for_byte",
        f"{ENGINE}/test_cleanroom.py::test_a_patch_is_laid_byte_for_byte",
        f"{ENGINE}/test_snapshot.py::test_a_deletion_and_a_rename_are_seen",
    ),
    "a patch is reversed, and graded so: SWE-bench#228": (
        f"{FOLDER}/test_unified.py::test_a_patch_is_never_reversed",
    ),
    "a byte that is no text ends the grading: SWE-bench#635": (
        f"{FOLDER}/test_grading.py::test_undecodable_output_is_no_obstacle",
    ),
    "a run hangs on one check: SWE-bench#157": (
        f"{FOLDER}/test_grading.py::test_a_check_that_does_not_end_has_failed_by_its_time",
    ),
    "the environment of checks is the user's own: SWE-bench#602": (
        f"{FOLDER}/test_grading.py::test_the_environment_of_checks_is_pinned",
    ),
    "new files are left out of a diff: SWE-agent/mini-swe-agent#705": (
        f"{ENGINE}/test_snapshot.py::test_every_byte_of_a_new_file_is_taken_along",
        f"{ENGINE}/test_snapshot.py::test_a_nested_repository_and_odd_names_are_part_of_the_tree",
    ),
}

ROWS = {**AGENT_COMMAND_LINES, **RUNS, **GRADING}


@cache
def cases_of(file: Path) -> Mapping[str, str]:
    """The source of each test of a file, its marks included."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


@pytest.mark.parametrize("row", ROWS)
def test_a_row_names_its_issues_and_at_least_one_test(row: str) -> None:
    assert ISSUE.search(row)
    assert ROWS[row]


@pytest.mark.parametrize("row", ROWS)
def test_every_test_that_a_row_names_is_there_and_is_not_skipped(row: str) -> None:
    for node in ROWS[row]:
        found = NODE.fullmatch(node)
        assert found is not None, node
        file = ROOT / found["file"]
        assert found["test"] in cases_of(file), node
        source = cases_of(file)[found["test"]]
        assert not re.search(r"mark\.(?:skip|skipif|xfail)\b|pytest\.skip\(", source), node
        if found["case"]:
            assert f'"{found["case"]}"' in file.read_text(encoding="utf-8"), node


def test_no_two_rows_are_held_by_the_same_tests() -> None:
    assert len(ROWS) == len(set(ROWS.values()))
