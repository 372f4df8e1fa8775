package io.probelet.monitor.rule;

import java.time.Duration;

/**
 * A check of the machine that is repeated.
 *
 * @param kind what kind of check it is
 * @param consequence what follows when it finds a problem
 * @param check what is checked, and what is too much
 * @param interval from one run to the next, above zero
 * @param timeout after how long a run counts as hung, above zero
 */
public record CheckRule(
    CheckKind kind,
    Consequence consequence,
    CheckSpec check,
    Duration interval,
    Duration timeout) {}
