import { canRunAction } from '#kernel/can.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { RaisedActions, useRaisedActions } from '#modules/actions/raised-actions.web.tsx'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { clientIdOf } from '#modules/documents/types/record.web.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { groupHazardLines } from '../grid/grid.ts'
import type { HazardLine } from '../grid/line.ts'
import { controlWithHazard, isPlannedControl } from '../grid/rules.ts'
import { riskItem } from './risk-assessment.ts'

/** Returns the planned controls of an assessment, each with the initial values of its corrective action. */
const plannedControls = (lines: readonly HazardLine[], mayRaise: boolean) =>
  groupHazardLines(lines).flatMap(({ head, controls }) =>
    controls.filter(isPlannedControl).map((line) => ({
      part: controlWithHazard(line),
      label: controlWithHazard(line),
      raise: mayRaise
        ? {
            at: `${line['@id']}/raise-action`,
            defaults: {
              description: controlWithHazard(line),
              employee: (line.responsible ? line : head).responsibility || null,
              managerName: toText(line.responsible || head.responsible),
              ...(line.plannedFor ? { deadline: line.plannedFor } : {}),
            },
          }
        : undefined,
    })),
  )

/** Planned controls of the revision in force, and the corrective actions raised from any revision of the assessment. */
export default function PlannedControls({ record }: DocumentBodyProps) {
  const actor = useActor()
  const of = { sourceTitle: toText(record.documentNumber) }
  const isOwn = clientIdOf(record) === actor.clientId && record.isTemplate !== true
  const isShown = isOwn && hasRole(actor, DOCUMENT_AUTHOR_ROLES) && record.current === true
  const lines = isShown && Array.isArray(record.controls) ? (record.controls as HazardLine[]) : []
  const parts = plannedControls(lines, canRunAction(actor, 'raiseAction', riskItem))
  const raised = useRaisedActions(of, isShown).data?.['hydra:member'] ?? []
  if (!isShown || !(parts.length || raised.length)) return null
  return (
    <section className={page.card} aria-labelledby="planned-controls">
      <h2 id="planned-controls">Planned controls</h2>
      <RaisedActions of={of} parts={parts} partsName="Planned controls" />
    </section>
  )
}
