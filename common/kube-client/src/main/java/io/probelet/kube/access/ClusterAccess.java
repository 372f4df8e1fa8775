package io.probelet.kube.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.probelet.health.TimeSource;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of the API server. It reconnects when its certificate files change, since cluster
 * authorities and client certificates are rotated. Invalid certificates are logged, and the old
 * ones stay in use.
 */
public final class ClusterAccess implements AutoCloseable {
  /** The user info of a URL: everything before the last at sign of its authority. */
  private static final Pattern CREDENTIALS =
      Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@");

  /** The client would quote anything else in the exceptions of each request. */
  private static final Pattern SERVER = Pattern.compile("^(?i:https?)://[^/]");

  /**
   * Characters that are invalid in a header, so that the client would quote them in an exception.
   */
  private static final Pattern TOKEN = Pattern.compile("[\\x20-\\x7e]*");

  /** The most contexts named. */
  private static final int MAX_NAMES = 20;

  private static final Logger LOG = LoggerFactory.getLogger(ClusterAccess.class);

  /**
   * No value of unknown type is read. For such values the client would load all classes of its
   * model, several megabytes.
   */
  private static final KubernetesSerialization SERIALIZATION =
      new KubernetesSerialization(new ObjectMapper(), false);

  static {
    // Except for a Status in place of an event: a watch must detect that its version has expired,
    // or it would request the same events forever.
    SERIALIZATION.registerKubernetesResource(Status.class);
  }

  private final @Nullable Path kubeconfig;
  private final @Nullable String context;
  private final ApiAnswers answers;
  private final Consumer<Config> renewal;
  private final KubernetesClient client;
  private final List<Path> files;
  private List<ByteBuffer> contents;
  private Runnable unwatch = () -> {};

  /** Watches files for changes. */
  @FunctionalInterface
  public interface FileWatch {
    /**
     * Begins to watch files that were just read.
     *
     * @param changed reads them again; run by one thread at a time, once at the start for missed
     *     changes, and after each change
     * @return ends the watching; after it returns, no more reads happen
     */
    Runnable start(List<Path> files, Runnable changed);
  }

  /**
   * Finds the configuration for the API server, without sending a request.
   *
   * @param kubeconfig the file; null for the file in {@code KUBECONFIG}, {@code ~/.kube/config}, or
   *     the pod's service account
   * @throws IOException if the file cannot be used, or there is no configuration; the message is
   *     for the user
   */
  public ClusterAccess(@Nullable Path kubeconfig, TimeSource time) throws IOException {
    this(kubeconfig, null, time);
  }

  /**
   * Finds the configuration for the API server with a given context, without sending a request.
   *
   * @param kubeconfig the file; null for the file in {@code KUBECONFIG}, {@code ~/.kube/config}, or
   *     the pod's service account
   * @param context of the kubeconfig; null for the current one
   * @throws IOException if the file cannot be used, has no such context, or there is no
   *     configuration; the message is for the user
   */
  public ClusterAccess(@Nullable Path kubeconfig, @Nullable String context, TimeSource time)
      throws IOException {
    this.kubeconfig = kubeconfig;
    this.context = context;
    answers = new ApiAnswers(time);
    Config config = read();
    files = files(config);
    contents = contents();
    try {
      RenewableHttp http = new RenewableHttp(config, answers, time);
      renewal = http::renew;
      client = client(config, http);
    } catch (RuntimeException malformed) {
      throw new IOException(
          "the kubeconfig's server, certificates or keys cannot be used: "
              + KubeconfigFile.problem(malformed));
    }
  }

  /**
   * Uses given connections, without a kubeconfig: in a simulation, those of a simulated network.
   *
   * @param connections creates connections, and records their responses
   * @param answers the record of the responses
   */
  public ClusterAccess(Config config, HttpClient.Factory connections, ApiAnswers answers) {
    this.kubeconfig = null;
    this.context = null;
    this.answers = answers;
    files = List.of();
    contents = List.of();
    renewal = _ -> {};
    client = client(config, connections);
  }

  private static KubernetesClient client(Config config, HttpClient.Factory connections) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(connections)
        .withKubernetesSerialization(SERIALIZATION)
        .build();
  }

  private Config read() throws IOException {
    Config found = kubeconfig == null ? fromEnvironment(context) : named(kubeconfig, context);
    if (!SERVER.matcher(found.getMasterUrl()).find()) {
      throw new IOException(ServerScheme.REFUSAL);
    }
    for (String token : Arrays.asList(found.getOauthToken(), found.getAutoOAuthToken())) {
      if (token != null && !TOKEN.matcher(token).matches()) {
        throw new IOException(
            "the kubeconfig's token has a line end or another character no token has");
      }
    }
    // Callers decide about retries, with jitter.
    return new ConfigBuilder(found)
        .withRequestRetryBackoffLimit(0)
        .withMasterUrl(withoutCredentials(found.getMasterUrl()))
        .build();
  }

  /** The client never sends them, but quotes the URL in exceptions and logs. */
  private static String withoutCredentials(String server) {
    Matcher credentials = CREDENTIALS.matcher(server);
    if (!credentials.find()) {
      return server;
    }
    String without = credentials.replaceFirst("$1");
    LOG.warn(
        "ignoring credentials in the kubeconfig's server URL, use its users instead api={}",
        without);
    return without;
  }

  /** The client would use a default server that nobody configured, and fail forever. */
  private static Config fromEnvironment(@Nullable String context) throws IOException {
    Config found = KubeconfigFile.ofEnvironment(context);
    if (context != null) {
      requireContext(context, found);
      // Otherwise copies of the configuration would use the current context, and send its token to
      // the other server.
      found.setAutoConfigure(false);
    }
    if (found.getCurrentContext() == null
        && found.getOauthToken() == null
        && found.getAutoOAuthToken() == null
        && found.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)) {
      throw new IOException(
          "no cluster access: found neither a kubeconfig with a current-context ($KUBECONFIG,"
              + " ~/.kube/config) nor a pod's service account; set --kubeconfig");
    }
    return found;
  }

  private static Config named(Path kubeconfig, @Nullable String context) throws IOException {
    Config found = KubeconfigFile.read(kubeconfig, context);
    if (context != null) {
      requireContext(context, found);
    }
    if (found.getCurrentContext() == null) {
      throw new IOException(
          "--kubeconfig " + kubeconfig + ": current-context must name one of its contexts");
    }
    return found;
  }

  /** The client silently uses the current context in place of a missing one. */
  private static void requireContext(String context, Config found) throws IOException {
    NamedContext current = found.getCurrentContext();
    if (current != null && context.equals(current.getName())) {
      return;
    }
    List<String> names =
        found.getContexts().stream()
            .map(NamedContext::getName)
            .filter(Objects::nonNull)
            .sorted()
            .toList();
    List<String> shown = names.subList(0, Math.min(MAX_NAMES, names.size()));
    throw new IOException(
        "--context %s: the kubeconfig has no such context; %s"
            .formatted(
                context,
                names.isEmpty()
                    ? "it has no contexts"
                    : "its contexts are "
                        + String.join(", ", shown)
                        + (shown.size() < names.size()
                            ? " and " + (names.size() - shown.size()) + " more"
                            : "")));
  }

  private static List<Path> files(Config config) {
    File found = config.getFile();
    return Stream.of(
            found == null ? null : found.getPath(),
            config.getCaCertFile(),
            config.getClientCertFile(),
            config.getClientKeyFile())
        .filter(Objects::nonNull)
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .filter(Files::isRegularFile) // a pipe can be read only once
        .distinct()
        .toList();
  }

  private List<ByteBuffer> contents() throws IOException {
    List<ByteBuffer> all = new ArrayList<>();
    for (Path file : files) {
      all.add(ByteBuffer.wrap(KubeconfigFile.bytes(file)));
    }
    return all;
  }

  /** {@return the client, which is closed with this} */
  public KubernetesClient client() {
    return client;
  }

  /** {@return the record of the API server's responses} */
  public ApiAnswers answers() {
    return answers;
  }

  /** Begins to watch the certificate files. */
  public void follow(FileWatch watch) {
    if (!files.isEmpty()) {
      unwatch = watch.start(files, this::readAgain);
    }
  }

  private void readAgain() {
    try {
      List<ByteBuffer> now = contents();
      if (!now.equals(contents)) {
        contents = now;
        renewal.accept(read());
        LOG.info("certificates reloaded api={} files={}", client.getMasterUrl(), files);
      }
    } catch (IOException unusable) {
      kept(String.valueOf(unusable.getMessage()));
    } catch (RuntimeException unusable) {
      kept(KubeconfigFile.problem(unusable));
    }
  }

  private void kept(String why) {
    LOG.warn(
        "invalid certificates, keeping the previous ones api={} reason=\"{}\"",
        client.getMasterUrl(),
        why);
  }

  /** Ends all requests. */
  @Override
  public void close() {
    unwatch.run();
    client.close();
  }
}
