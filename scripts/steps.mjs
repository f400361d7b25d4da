// Prints the steps of a start, each on one line with its duration in seconds.

/** Milliseconds after which a step is printed; quicker steps are not shown. */
const NEWS_MS = 700
const NAME_WIDTH = 14

/** Step in progress, if any. */
let current

function print({ name, started, share }, isDone) {
  const seconds = `${Math.round((performance.now() - started) / 1000)} s`
  const state = isDone ? seconds : share === undefined ? `… ${seconds}` : `… ${Math.floor(share * 100)} %, ${seconds}`
  if (process.stderr.isTTY) process.stderr.write(`\r  ${name.padEnd(NAME_WIDTH)}${state}\x1b[K${isDone ? '\n' : ''}`)
  else if (isDone) process.stderr.write(`  ${name.padEnd(NAME_WIDTH)}${state}\n`)
}

/** Starts a step. Ends the previous step. */
export function beginStep(name) {
  endStep()
  const step = { name, started: performance.now() }
  step.timer = setInterval(() => print(step, false), NEWS_MS)
  step.timer.unref()
  current = step
}

/** Sets how much of the current step is done, from 0 to 1. */
export function setStepProgress(share) {
  if (current) current.share = share
}

export function endStep() {
  const step = current
  current = undefined
  clearInterval(step?.timer)
  if (step && performance.now() - step.started >= NEWS_MS) print(step, true)
}

/** Runs a part of the start as a step. */
export async function runStep(name, work) {
  beginStep(name)
  try {
    return await work()
  } finally {
    endStep()
  }
}
