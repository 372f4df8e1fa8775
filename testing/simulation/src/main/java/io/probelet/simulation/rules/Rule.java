package io.probelet.simulation.rules;

/** Something that must hold in every world. */
public interface Rule {
  /** {@return its name, in words with dashes} */
  String name();

  /** {@return why it must hold, as a sentence} */
  String reason();

  /**
   * Takes note of an event and checks what must hold after it.
   *
   * @param event what happened
   * @param findings takes each check
   */
  default void saw(WorldEvent event, Findings findings) {}

  /**
   * Checks what must hold once no fault has been in force for a while. It may be asked again later,
   * when more has come right.
   *
   * @param end what there is at the end
   * @param findings takes each check
   */
  default void settled(EndState end, Findings findings) {}
}
