package io.probelet.cluster.webhook;

/**
 * Why a webhook is problematic.
 *
 * @param webhook the webhook's name within its configuration
 * @param resource the first protected objects that it can block
 * @param advice the problem and its fix, in one line
 */
public record WebhookFinding(
    String webhook, WebhookHazard hazard, ProtectedResource resource, String advice) {}
