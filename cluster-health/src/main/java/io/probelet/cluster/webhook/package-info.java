/**
 * Admission webhooks that can keep a cluster from healing itself: which they are, why, and what
 * would make them harmless. Assessment and remediation are pure functions of the configuration
 * object and of a policy that holds the labels and resources to protect; Gardener's are a preset.
 * Every change is written down on the object in a form from which it can be undone.
 */
@NullMarked
package io.probelet.cluster.webhook;

import org.jspecify.annotations.NullMarked;
