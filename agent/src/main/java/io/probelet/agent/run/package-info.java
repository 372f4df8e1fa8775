/**
 * Running: what {@code probelet run} puts together and keeps going. The probe service joins loops,
 * probers and the engine; around it stand the runtime, the manifests and what shows the state.
 */
@NullMarked
package io.probelet.agent.run;

import org.jspecify.annotations.NullMarked;
