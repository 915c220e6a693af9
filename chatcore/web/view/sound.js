/** The sound of new messages: two short tones, which need no file. */

const TONES = [880, 1175];
const LENGTH = 0.18;
const LOUDNESS = 0.12;

/** @type {AudioContext | undefined} */
let player;

/** Play the sound. A browser permits it after the first click on a page; before that, it is silent. */
export function playSound() {
  const output = (player ??= new AudioContext());
  if (output.state !== "running") output.resume().catch(() => {});
  const now = output.currentTime;
  TONES.forEach((tone, at) => {
    const [start, end] = [now + (at * LENGTH) / 2, now + (at * LENGTH) / 2 + LENGTH];
    const [source, volume] = [new OscillatorNode(output, { frequency: tone }), new GainNode(output)];
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    source.connect(volume).connect(output.destination);
    source.start(start);
    source.stop(end);
  });
}
