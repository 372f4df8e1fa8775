package io.probelet.probe.net;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.probelet.health.TimeSource;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.file.BadFileException;
import io.probelet.probe.file.FileCache;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.file.SmallFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS contexts by their options, made anew when a file they are made of has changed. Shared by all
 * loops.
 */
public final class TlsContexts {
  /** Enough for every pod of a large node to have its own; the least used one goes first. */
  private static final int MAX_CONTEXTS = 256;

  static {
    GoTls.raiseBounds();
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
    contexts = new FileCache<>(MAX_CONTEXTS, threads, time, TlsContexts::files, TlsContexts::load);
  }

  /**
   * Finds or makes a context. Fails with {@link BadFileException}.
   *
   * @return complete already, or completed on another thread
   */
  CompletableFuture<SslContext> get(TlsOptions options) {
    return contexts.get(
        options.serverName() == null
            ? options
            : new TlsOptions( // the name is a matter of each connection
                options.verify(),
                options.authorities(),
                null,
                options.certFile(),
                options.keyFile()));
  }

  private static List<Path> files(TlsOptions options) {
    return Stream.of(
            options.authorities() instanceof CaCertificates.InFile(Path path)
                ? Stream.of(path)
                : Stream.<Path>empty(),
            Stream.ofNullable(options.certFile()),
            Stream.ofNullable(options.keyFile()))
        .flatMap(file -> file)
        .toList();
  }

  private static SslContext load(TlsOptions options) throws BadFileException {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(GoTls.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
            .endpointIdentificationAlgorithm(null); // each engine has its own
    if (options.verify()) {
      trust(options.authorities(), builder);
    } else {
      NamelessCertificates.register();
      builder.trustManager(new AnyCertificate());
    }
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

  private static void trust(@Nullable CaCertificates authorities, SslContextBuilder builder)
      throws BadFileException {
    switch (authorities) {
      case null -> {} // the platform's own
      case CaCertificates.InFile(Path path) -> {
        InputStream certificates = content("caFile", path);
        using("caFile " + path, "PEM certificates", () -> builder.trustManager(certificates));
      }
      case CaCertificates.Inline(String pem) -> {
        InputStream certificates =
            new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
        using("ca", "PEM certificates", () -> builder.trustManager(certificates));
      }
    }
  }

  private static InputStream content(String field, Path file) throws BadFileException {
    return new ByteArrayInputStream(SmallFile.read(field, file, SmallFile.MAX_BYTES));
  }

  private static void using(String what, String wanted, Runnable load) throws BadFileException {
    try {
      load.run();
    } catch (IllegalArgumentException bad) {
      throw new BadFileException(what + " must hold " + wanted, bad);
    }
  }
}
