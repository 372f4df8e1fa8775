package io.probelet.probe.net;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.probelet.health.TimeSource;
import io.probelet.health.tls.ServerVerifier;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.CaCertificates.InFile;
import io.probelet.probe.CaCertificates.Inline;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.file.BadFileException;
import io.probelet.probe.file.FileCache;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.file.SmallFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** TLS contexts by options, remade when one of their files changes. Shared by all loops. */
public final class TlsContexts {
  /** Enough for every pod of a large node to have its own; the least used one goes first. */
  private static final int MAX_CONTEXTS = 256;

  /**
   * Seconds of a session, more than the week that a ticket may be valid, so that the JDK reads
   * tickets and keeps none: else each probe left two sessions behind, up to 20,480 of some KiB.
   */
  private static final long NO_TICKETS = Duration.ofDays(8).toSeconds();

  static {
    GoTlsDefaults.raiseBounds();
  }

  private final FileCache<TlsOptions, SslContext> contexts;

  /**
   * Creates an empty cache that reads files on threads of its own.
   *
   * @param time measures how long ago files were checked
   */
  public TlsContexts(TimeSource time) {
    this(new FileThreads(), time);
  }

  /**
   * Creates an empty cache.
   *
   * @param threads where files are read
   * @param time measures how long ago files were checked
   */
  public TlsContexts(FileThreads threads, TimeSource time) {
    contexts =
        new FileCache<>(
            MAX_CONTEXTS, threads, time, TlsContexts::files, options -> load(options, time));
  }

  /**
   * Finds or makes a context. Fails with {@link BadFileException}.
   *
   * @return complete already, or completed on another thread
   */
  CompletableFuture<SslContext> get(TlsOptions options) {
    return contexts.get(
        options.serverName() == null && options.minValidity() == null
            ? options
            : new TlsOptions( // the others are a matter of each connection
                options.verify(),
                options.authorities(),
                null,
                options.certFile(),
                options.keyFile()));
  }

  private static List<Path> files(TlsOptions options) {
    return Stream.of(
            options.authorities() instanceof InFile(Path path)
                ? Stream.of(path)
                : Stream.<Path>empty(),
            Stream.ofNullable(options.certFile()),
            Stream.ofNullable(options.keyFile()))
        .flatMap(file -> file)
        .toList();
  }

  private static SslContext load(TlsOptions options, TimeSource time) throws BadFileException {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(GoTlsDefaults.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
            .endpointIdentificationAlgorithm(null) // each engine has its own
            .sessionCacheSize(1)
            .sessionTimeout(NO_TICKETS);
    if (!options.verify()) {
      NamelessCertificates.register();
    }
    builder.trustManager(options.verify() ? verifier(options, time) : new AnyServer());
    Path certFile = options.certFile();
    Path keyFile = options.keyFile();
    if (certFile != null && keyFile != null) {
      InputStream chain = content("certFile", certFile);
      InputStream key = content("keyFile", keyFile);
      using(
          "certFile " + certFile + " and keyFile " + keyFile,
          "a PEM certificate chain and its PKCS#8 key",
          () -> builder.keyManager(chain, key));
    }
    try {
      return builder.build();
    } catch (SSLException impossible) {
      throw new BadFileException(String.valueOf(impossible.getMessage()), impossible);
    }
  }

  private static ServerVerifier verifier(TlsOptions options, TimeSource time)
      throws BadFileException {
    CaCertificates authorities = options.authorities();
    String what = authorities instanceof InFile(Path path) ? "caFile " + path : "ca";
    try {
      return switch (authorities) {
        case null -> ServerVerifier.trustingPlatform(time);
        case InFile(Path path) -> ServerVerifier.trusting(bytes("caFile", path), time);
        case Inline(String text) ->
            ServerVerifier.trusting(text.getBytes(StandardCharsets.US_ASCII), time);
      };
    } catch (GeneralSecurityException bad) {
      throw unusable(what, "PEM certificates", bad);
    }
  }

  private static byte[] bytes(String field, Path file) throws BadFileException {
    return SmallFile.read(field, file, SmallFile.MAX_BYTES);
  }

  private static InputStream content(String field, Path file) throws BadFileException {
    return new ByteArrayInputStream(bytes(field, file));
  }

  private static void using(String what, String wanted, Runnable load) throws BadFileException {
    try {
      load.run();
    } catch (IllegalArgumentException bad) {
      throw unusable(what, wanted, bad);
    }
  }

  private static BadFileException unusable(String what, String wanted, Exception bad) {
    return new BadFileException(what + " must hold " + wanted, bad);
  }
}
