import { canRunAction } from '#kernel/can.ts'
import { toPlainObject } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { RaisedActions } from '#modules/actions/raised-actions.web.tsx'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { customFormAnswer } from './custom-form.ts'
import { findFailedAnswers } from './failed-answers.ts'

interface Props {
  readonly answer: RecordOf<typeof customFormAnswer>
  readonly schema: FormSchema
}

/** Defects and failed answers of a completed form, and the corrective actions raised from them. */
export function AnswerActions({ answer, schema }: Props) {
  const actor = useActor()
  const mayRaise = canRunAction(actor, 'raiseAction', customFormAnswer)
  const at = `${answer['@id']}/raise-action`
  const notes = answer.subject ? `Checked: ${answer.subject}` : ''
  const parts = findFailedAnswers(schema, toPlainObject(answer.answers)).map(({ at: part, label, details }) => ({
    part,
    label,
    raise: mayRaise
      ? { at, defaults: { description: [label, details].filter(Boolean).join('\n'), notes }, extra: { part } }
      : undefined,
  }))
  return (
    <section className={page.card} aria-labelledby="answer-actions">
      <h2 id="answer-actions">Corrective actions</h2>
      <RaisedActions
        of={{ source: answer['@id'] }}
        raise={mayRaise ? { at, defaults: { notes } } : undefined}
        parts={parts}
        partsName="Defects and failed answers"
      />
    </section>
  )
}
