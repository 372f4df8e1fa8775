/**
 * Admission webhooks that can keep a cluster from recovering: which ones, why, and how to fix them.
 * Assessment and remediation are pure functions of the configuration and of a policy with the
 * labels and resources to protect; Gardener's policy is a preset. Every change is recorded on the
 * object, so that it can be undone.
 */
@NullMarked
package io.probelet.cluster.webhook;

import org.jspecify.annotations.NullMarked;
