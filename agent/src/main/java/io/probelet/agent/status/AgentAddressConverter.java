package io.probelet.agent.status;

import io.probelet.agent.http.ListenAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of an agent from the command line. */
public final class AgentAddressConverter implements ITypeConverter<ListenAddress> {
  /** Created by the command line. */
  public AgentAddressConverter() {}

  @Override
  public ListenAddress convert(String text) {
    try {
      return ListenAddress.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new TypeConversionException(malformed.getMessage());
    }
  }
}
