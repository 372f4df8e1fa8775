package io.probelet.remediator.controller;

import io.probelet.remediator.decide.Decider;
import io.probelet.remediator.resource.RemediationSpec;

/**
 * All of one kind that the rest need not know.
 *
 * @param spec what its resources are read as
 * @param reader reads what the rules need besides
 * @param decider the rules
 * @param <S> what is asked for
 * @param <O> what is read
 */
record KindRemediator<S extends RemediationSpec, O>(
    Class<S> spec, KindReader<S, O> reader, Decider<S, O> decider) {}
