package io.probelet.manifest.policy;

/** What holds in some namespaces. */
public record NamespaceRule(NamePatterns names, NamespacePolicy policy) {}
