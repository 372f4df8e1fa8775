package io.probelet.probe.net;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.probelet.health.TimeSource;
import io.probelet.probe.TlsOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS contexts by their options, read from files on virtual threads and read again when a file has
 * changed. Files are looked at no more than once a second. Shared by all loops.
 */
public final class TlsContexts {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  /** Enough for every pod of a large node to have its own; the least used one goes first. */
  private static final int MOST = 256;

  private final TimeSource time;
  private final Map<TlsOptions, Cached> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TlsOptions, Cached> eldest) {
          return size() > MOST;
        }
      };

  /** A context, when its files were last looked at, and what they looked like then. */
  private record Cached(CompletableFuture<SslContext> context, long lookedAt, List<Stamp> stamps) {}

  /** What changes of a file when its contents do. */
  private record Stamp(long modified, long size, @Nullable Object key) {
    static final Stamp ABSENT = new Stamp(0, -1, null);
  }

  /**
   * Creates an empty cache.
   *
   * @param time says how long ago files were looked at
   */
  public TlsContexts(TimeSource time) {
    this.time = time;
  }

  /**
   * Finds or loads a context. Fails with {@link BadTlsFilesException}.
   *
   * @return complete already, or completed on another thread
   */
  CompletableFuture<SslContext> get(TlsOptions options) {
    synchronized (entries) {
      Cached known = entries.get(options);
      long now = time.nanoTime();
      if (known != null
          && (files(options).isEmpty()
              || !known.context().isDone()
              || now - known.lookedAt() < FRESH_NANOS)) {
        return known.context();
      }
      CompletableFuture<SslContext> context = new CompletableFuture<>();
      entries.put(options, new Cached(context, now, List.of()));
      Thread.ofVirtual().name("tls-files").start(() -> refresh(options, known, context));
      return context;
    }
  }

  private void refresh(
      TlsOptions options, @Nullable Cached known, CompletableFuture<SslContext> context) {
    List<Stamp> stamps = files(options).stream().map(TlsContexts::stamp).toList();
    synchronized (entries) {
      entries.put(options, new Cached(context, time.nanoTime(), stamps));
    }
    if (known != null
        && known.stamps().equals(stamps)
        && !known.context().isCompletedExceptionally()) {
      context.complete(known.context().resultNow());
      return;
    }
    try {
      context.complete(load(options));
    } catch (BadTlsFilesException | RuntimeException bad) {
      context.completeExceptionally(bad);
    }
  }

  private static List<Path> files(TlsOptions options) {
    return Stream.of(
            Stream.ofNullable(options.caFile()),
            Stream.ofNullable(options.certFile()),
            Stream.ofNullable(options.keyFile()))
        .flatMap(file -> file)
        .toList();
  }

  private static Stamp stamp(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(now.lastModifiedTime().toMillis(), now.size(), now.fileKey());
    } catch (IOException unreadable) {
      return Stamp.ABSENT; // loading will say what is wrong
    }
  }

  private static SslContext load(TlsOptions options) throws BadTlsFilesException {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .endpointIdentificationAlgorithm(null); // each engine has its own
    if (!options.verify()) {
      builder.trustManager(new AnyCertificate());
    } else if (options.caFile() != null) {
      File authorities = readable("caFile", options.caFile());
      using(
          "caFile " + options.caFile(),
          "PEM certificates",
          () -> builder.trustManager(authorities));
    }
    Path certFile = options.certFile();
    Path keyFile = options.keyFile();
    if (certFile != null && keyFile != null) {
      File chain = readable("certFile", certFile);
      File key = readable("keyFile", keyFile);
      using(
          "certFile " + certFile + " and keyFile " + keyFile,
          "a PEM certificate chain and its PKCS#8 key",
          () -> builder.keyManager(chain, key));
    }
    try {
      return builder.build();
    } catch (SSLException impossible) {
      throw new BadTlsFilesException(String.valueOf(impossible.getMessage()), impossible);
    }
  }

  private static File readable(String field, Path file) throws BadTlsFilesException {
    try (var _ = Files.newInputStream(file)) {
      return file.toFile();
    } catch (NoSuchFileException absent) {
      throw new BadTlsFilesException(field + " " + file + " does not exist", absent);
    } catch (IOException unreadable) {
      throw new BadTlsFilesException(
          field + " " + file + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  private static void using(String what, String wanted, Runnable load) throws BadTlsFilesException {
    try {
      load.run();
    } catch (IllegalArgumentException bad) {
      throw new BadTlsFilesException(what + " must hold " + wanted, bad);
    }
  }
}
