import { problem } from '#kernel/errors.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import type { BatchJobType } from '#server/engine/run-kind.ts'
import { schedule } from '#server/engine/schedule.ts'
import { resumeRun, stopRun, undoRun } from '#server/jobs/run-control.ts'
import { recoverRuns } from '#server/jobs/run-recover.ts'
import { run } from './run.ts'

/** The kind of a run, where it may be stopped and taken back from here: those with a screen of their own are steered there. */
function kindOf(c: Context, row: { kind: string | null }): BatchJobType {
  const kind = c.engine.runs.get(row.kind ?? '')
  if (!kind || kind.managedAt)
    throw problem.conflict(`This is stopped and undone where it was started${kind ? `: ${kind.managedAt}` : ''}.`)
  return kind
}

export const runBehaviour = behaviour(run, {
  actions: {
    stop: async (c) => {
      kindOf(c, c.row)
      await stopRun(c, c.row.id)
      return {}
    },
    resume: async (c) => {
      await resumeRun(c, kindOf(c, c.row), c.row.id)
      return {}
    },
    undo: async (c) => {
      await undoRun(c, kindOf(c, c.row), c.row.id)
      return {}
    },
  },
})

/** Takes up what processes have left that have gone. */
export const runSchedule = schedule({ name: 'runs.recover', every: { minutes: 1 }, run: recoverRuns })
