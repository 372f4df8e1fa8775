package io.probelet.fleet;

import java.time.Instant;

/**
 * An event about a node or its remediation.
 *
 * @param time when it happened last
 * @param count how often it happened, at least 1
 * @param warning whether its type is Warning
 * @param namespace of that object; empty if it has none
 * @param reason one word
 * @param message a sentence, at most 1,024 characters
 * @param component the component that reports it; its author chose that text
 * @param known whether that is where Kubernetes writes Events of such objects, and the component is
 *     one that writes them; no proof, as anyone who may write there may name any component
 */
public record FleetEvent(
    Instant time,
    int count,
    boolean warning,
    String kind,
    String namespace,
    String name,
    String reason,
    String message,
    String source,
    String component,
    String eventNamespace,
    boolean known) {}
