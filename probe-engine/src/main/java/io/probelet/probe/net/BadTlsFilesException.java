package io.probelet.probe.net;

/** A file named by TLS options is missing or holds something else. */
final class BadTlsFilesException extends Exception {
  BadTlsFilesException(String message, Throwable cause) {
    super(message, cause);
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
