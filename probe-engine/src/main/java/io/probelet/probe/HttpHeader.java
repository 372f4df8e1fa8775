package io.probelet.probe;

/**
 * One request header, sent as given (H-2).
 *
 * @param name HTTP token characters only (P-12)
 * @param value may be empty, which for User-Agent and Accept means: send none
 */
public record HttpHeader(String name, String value) {}
