package io.probelet.probe.http;

/** A header as it goes on the wire. Its value may be a secret, so no text form shows it. */
record HeaderField(String name, String value) {
  @Override
  public String toString() {
    return name;
  }
}
