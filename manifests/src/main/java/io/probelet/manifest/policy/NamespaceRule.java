package io.probelet.manifest.policy;

/**
 * What holds in some namespaces.
 *
 * @param names which ones
 * @param policy what holds there, the preset's settings among it
 */
public record NamespaceRule(NamePatterns names, NamespacePolicy policy) {}
