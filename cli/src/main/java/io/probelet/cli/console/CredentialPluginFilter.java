package io.probelet.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Keeps the output of a kubeconfig's credential plugin out of the log: when the plugin fails, the
 * client logs the output, which may contain a token. The failure alone is logged instead.
 */
final class CredentialPluginFilter extends TurboFilter {
  /** The client's reader of kubeconfigs, which runs the plugin; its messages quote the output. */
  static final String CLIENT = "io.fabric8.kubernetes.client.internal.KubeConfigUtils";

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(CredentialPluginFilter.class);

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    if (!logger.getName().equals(CLIENT)) {
      return FilterReply.NEUTRAL;
    }
    if (format != null && level.isGreaterOrEqual(Level.WARN)) {
      LOG.warn(
          "the kubeconfig's credential plugin failed, or returned no valid ExecCredential;"
              + " run its command to see its output, which is not logged");
    }
    return FilterReply.DENY;
  }
}
