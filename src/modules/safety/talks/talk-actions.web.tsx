import { canRunAction } from '#kernel/can.ts'
import { hasRole } from '#kernel/roles.ts'
import { RaisedActions } from '#modules/actions/raised-actions.web.tsx'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import type { PresentedTalkRecord } from './presented-data.web.ts'
import { presentedTalk } from './toolbox-talk.ts'

interface Props {
  readonly record: PresentedTalkRecord
}

/** Corrective actions raised from a presented talk, for example to deal with its notes. */
export function TalkActions({ record }: Props) {
  const actor = useActor()
  if (!hasRole(actor, DOCUMENT_AUTHOR_ROLES)) return null
  const mayRaise = canRunAction(actor, 'raiseAction', presentedTalk) && !record.retired
  const raise = { at: `${record['@id']}/raise-action`, defaults: { notes: record.notes ?? '' } }
  return (
    <section className={page.card} aria-labelledby="talk-actions">
      <h2 id="talk-actions">Corrective actions</h2>
      <RaisedActions of={{ source: record['@id'] }} raise={mayRaise ? raise : undefined} />
    </section>
  )
}
