package io.probelet.remediator.decide;

/**
 * Why a remediation has to wait.
 *
 * @param reason one word in UpperCamelCase, of a fixed set, for metrics
 * @param message a sentence
 */
public record ActionHold(String reason, String message) {}
