package io.probelet.cluster.webhook;

/**
 * Why a webhook is problematic.
 *
 * @param webhook the webhook's name within its configuration
 * @param resource the first protected objects it can hold up
 * @param advice what is wrong and what would be right, in one line
 */
public record WebhookFinding(
    String webhook, WebhookHazard hazard, ProtectedResource resource, String advice) {}
