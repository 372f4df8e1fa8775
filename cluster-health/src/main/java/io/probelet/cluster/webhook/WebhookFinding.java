package io.probelet.cluster.webhook;

/**
 * Why a webhook is problematic.
 *
 * @param webhook the webhook's name within its configuration
 * @param rule the rule it breaks, {@code CH-31a} or {@code CH-31b}
 * @param resource the first protected objects it can hold up
 * @param advice what is wrong and what would be right, in one line
 */
public record WebhookFinding(
    String webhook, String rule, ProtectedResource resource, String advice) {}
