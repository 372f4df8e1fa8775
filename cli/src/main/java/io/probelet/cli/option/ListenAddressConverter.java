package io.probelet.cli.option;

import io.probelet.web.http.ListenAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an address from the command line. */
public final class ListenAddressConverter implements ITypeConverter<ListenAddress> {
  /** Created by the command line. */
  public ListenAddressConverter() {}

  @Override
  public ListenAddress convert(String text) {
    try {
      return ListenAddress.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new TypeConversionException(malformed.getMessage());
    }
  }
}
