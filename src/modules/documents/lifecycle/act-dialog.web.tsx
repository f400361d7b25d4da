import { Alert, Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { onlineManager } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Fields } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { type ActionSpec, iriOf, type Resource } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatMonths } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { createAudienceInput } from '#web/forms/audience-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { useReviewMonths } from '../settings/kinds.web.ts'
import { AUDIENCE_CHOICES, audienceLabel } from '../types/audience.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, usePreviousRevision, useRefetchDocument } from '../types/record.web.ts'
import { isOwnRevision } from '../types/self-approval.ts'
import type { DocumentState } from '../types/transitions.ts'
import { useOptimisticTransition } from './show-transition.web.ts'

const WhatChanges = lazyComponent(() => import('./revision-changes.web.tsx'))

/** Button label, effect and confirmation of each action. */
const ACTION_LABELS = {
  approve: {
    title: 'Approve and bring into force',
    verb: 'Approve',
    says: 'This revision will become current, and people will be able to sign it.',
    done: 'is approved and in force',
  },
  reject: {
    title: 'Reject',
    verb: 'Reject',
    says: 'The revision will be stored with your reason. The author can start the next revision from it.',
    done: 'has been rejected; the author can see your reason',
  },
  withdraw: {
    title: 'Withdraw',
    verb: 'Withdraw',
    says: 'The document will no longer be in force, nothing will replace it, and open signature requests will end. The content, signatures and PDFs will be retained with your reason, and you can restore the document.',
    done: 'has been withdrawn',
  },
  revise: {
    title: 'Start next revision',
    verb: 'Start revision',
    says: 'This will create a draft with the same content.',
    done: 'is the new draft',
  },
} as const

/**
 * Texts that state what happens to this revision when the next one is started, by state. Only a current revision stays
 * in force.
 */
const REVISION_EFFECTS: Partial<Readonly<Record<DocumentState, string>>> = {
  complete: 'This revision will remain unchanged and await approval until the next revision is approved.',
  current: 'This revision will stay in force until the next revision comes into force.',
  rejected: 'The rejected revision is unchanged; it never came into force.',
}

const AUDIENCE = { audience: createAudienceInput('Readers', AUDIENCE_CHOICES, audienceLabel) }

export type DocumentAction = keyof typeof ACTION_LABELS

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  /** Action to perform; undefined while the dialog is closed. */
  readonly action: DocumentAction | undefined
  readonly onClose: () => void
  readonly onDone: (answer: DocumentRecord, action: DocumentAction) => void
}

/** Dialog that asks for the input of an action and then performs the action. */
export function DocumentActionDialog({ parts, record, action, onClose, onDone }: Props) {
  const [last, setLast] = useState<DocumentAction>('approve')
  if (action && action !== last) setLast(action)
  const { kind, words } = parts
  const refresh = useRefetchDocument(kind)
  const actor = useActor()
  const { says } = ACTION_LABELS[last]
  const own = last === 'reject' || last === 'withdraw' ? undefined : words?.[last]
  const [title, verb] = [own ?? ACTION_LABELS[last].title, own ?? ACTION_LABELS[last].verb]
  const spec: ActionSpec | undefined = kind.resource.actions?.[last]
  const former = usePreviousRevision(kind, record, action === 'approve')
  const { change, ...plain } = withLabels(last, spec?.input ?? {}, useReviewMonths(kind, record))
  // A first revision has no change category.
  const input: Fields = former && change ? { change, ...plain } : plain
  // Uses a normal create form, because the action's route responds like a create route.
  const asked: Resource = { ...kind.resource, url: `${iriOf(kind.resource, record.id)}/${last}`, fields: input }
  const show = useOptimisticTransition(kind)
  /** True while the action is shown as done and the dialog is closed, before the server has responded. */
  const [underway, setUnderway] = useState(false)
  const here = useIsMounted()
  const atOnce = (sent: Values) => {
    if (!onlineManager.isOnline()) return () => undefined
    const answered = show([record], () => last, sent)
    setUnderway(true)
    return (error?: unknown) => {
      answered(error)
      if (error === undefined) return
      setUnderway(false)
      void refresh()
      if (!here.current) toast.failed(`${record.documentNumber}: ${errorSentence(error)}`)
    }
  }
  // Refreshes the page behind the dialog, because another user may have changed the document first.
  const leave = () => {
    void refresh()
    onClose()
  }
  return (
    <Dialog
      opened={action !== undefined}
      asleep={underway}
      onClose={onClose}
      title={`${title}: ${record.documentNumber} revision ${record.revision}`}
      size="36rem"
    >
      <Text mb="md">
        {last === 'revise' ? `${says} ${REVISION_EFFECTS[record.state] ?? ''}` : says}
        {former?.current && ` Revision ${former.revision}, in force until now, will be marked as replaced.`}
      </Text>
      {last === 'approve' && isOwnRevision(record, authorOf(actor).username) && (
        <Alert color="yellow" mb="md" title="You wrote or completed this document" icon={<IconUser aria-hidden />}>
          A second person often spots what the author missed. If you approve the document yourself, the record and every
          PDF will say so.
        </Alert>
      )}
      {last === 'approve' && former && record.change && (
        <Text mb="md">{`The author marked this as a ${record.change} change.`}</Text>
      )}
      <Suspense>
        {last === 'approve' && former && <WhatChanges parts={parts} before={former} after={record} />}
      </Suspense>
      <ResourceForm
        key={`${last} ${former?.id ?? ''}`}
        resource={asked}
        fields={Object.keys(input)}
        wide={Object.keys(input)}
        inputs={AUDIENCE}
        action={verb}
        defaults={{
          ...(former ? { change: record.change ?? 'material' } : {}),
          ...(last === 'approve' ? { audience: record.audience } : {}),
        }}
        decided
        done={(answer) => {
          const { documentNumber, revision } = answer as unknown as DocumentRecord
          return `${documentNumber} revision ${revision} ${ACTION_LABELS[last].done}`
        }}
        onCancel={leave}
        onLook={leave}
        {...(last === 'revise' ? {} : { atOnce })}
        onSaved={(answer) => {
          setUnderway(false)
          const done = answer as unknown as DocumentRecord
          void refresh(done)
          onClose()
          onDone(done, last)
        }}
      />
    </Dialog>
  )
}

const LABELS: Readonly<Record<string, string>> = {
  note: 'Note',
  change: 'Change category',
  reason: 'Reason for revision',
}

const REASON_LABELS: Partial<Readonly<Record<DocumentAction, string>>> = {
  reject: 'Reason for rejection',
  withdraw: 'Reason for withdrawal',
}

const withLabels = (action: DocumentAction, fields: Fields, reviewMonths: number) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, f]) => [
      name,
      {
        ...f,
        label:
          f.label ??
          (name === 'note' ? REASON_LABELS[action] : undefined) ??
          LABELS[name] ??
          (name === 'reviewDue' ? `Review due (default: ${formatMonths(reviewMonths)} from now)` : name),
      },
    ]),
  )
