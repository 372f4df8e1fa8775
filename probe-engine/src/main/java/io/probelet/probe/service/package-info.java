/**
 * The probe engine, assembled: {@code ProbeService} joins the event loops, the probers on them, the
 * engine that decides and the restarts it asks for. Programs that embed the engine begin here.
 */
@NullMarked
package io.probelet.probe.service;

import org.jspecify.annotations.NullMarked;
