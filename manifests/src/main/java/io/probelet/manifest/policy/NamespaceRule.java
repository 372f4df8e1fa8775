package io.probelet.manifest.policy;

/** A setting for some namespaces. */
public record NamespaceRule(NamePatterns names, NamespacePolicy policy) {}
