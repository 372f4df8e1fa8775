/**
 * Admission webhook configurations among the manifests: read far enough to judge whether they can
 * hold up the cluster they are meant for, before they are applied. The judgement itself is {@link
 * io.probelet.cluster.webhook.WebhookAssessment}'s; here is only the way from text to it.
 */
@NullMarked
package io.probelet.manifest.webhook;

import org.jspecify.annotations.NullMarked;
