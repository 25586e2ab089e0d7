/** Shows the progress of long work: a bar on a terminal, nothing elsewhere. */

const WIDTH = 40

/** Returns a function to call with the work done and the total; it redraws only at each new percent. */
export function progressBar(out: NodeJS.WriteStream, label: string) {
  let shown = -1
  return (done: number, total: number): void => {
    const percent = Math.floor((100 * done) / total)
    if (!out.isTTY || percent === shown) return
    shown = percent
    const filled = Math.round((WIDTH * done) / total)
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
    out.write(`\r${label} ${bar} ${percent} %${done >= total ? '\n' : ''}`)
  }
}
