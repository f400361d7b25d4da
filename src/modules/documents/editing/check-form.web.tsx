import { Anchor, Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Icon } from '@tabler/icons-react'
import { IconAlertTriangle, IconCheck, IconCopyCheck, IconEyeCheck, IconFileTypePdf } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Violation } from '#kernel/errors.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError } from '#web/api/client.ts'
import { openPdf } from '#web/api/pdf.ts'
import { formatFormPathLabel, locateFormPath } from '#web/forms/schema/problems.tsx'
import { formPathUrl } from '#web/forms/schema/use-requested-place.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { DraftApprovers } from '../approval/who-approves.web.tsx'
import { translateFormErrorPaths } from '../forms/save-with-form.web.ts'
import { DraftChanges } from '../lifecycle/draft-changes.web.tsx'
import { DocumentSheet } from '../printing/paper.web.tsx'
import { audienceLabel } from '../types/audience.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { ChangeCategory } from '../types/document.ts'
import { allowsOneInForcePerClient, completionTexts, needsApproval } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { formatCopiedAnswerPrompt } from '../types/origin.ts'
import {
  type DocumentRecord,
  documentTitleOrUntitled,
  useDocumentAction,
  usePreviousRevision,
} from '../types/record.web.ts'
import { formatDocumentValue } from '../types/value-text.ts'
import css from './check.module.css'
import type { EmptyStepFields as Parts } from './completion-check.ts'
import { checkCompletion, describeSealedAttachments } from './completion-check.ts'
import { PreviousRejection } from './previous-rejection.web.tsx'
import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Radio, Stack } from '@mantine/core'
import { getChangeCategories } from '../types/document.ts'

function draftFieldPath(kind: DocumentKind, record: Values, path: string): string {
  const form = `${kind.screens.update}/${String(record.id)}`
  const place = locateFormPath(kind.schema, path)
  return place ? formPathUrl(form, place.step, path) : form
}

interface Item {
  readonly text: string
  readonly detail?: string
  readonly to: string
}

/** Returns links to the missing fields. */
const missingItems = (kind: DocumentKind, record: Values, missing: readonly Violation[]): Item[] =>
  missing.map(({ propertyPath, message }) => {
    const label = formatFormPathLabel(kind.schema, propertyPath)
    return { text: label ? `${label}: ${message}` : message, to: draftFieldPath(kind, record, propertyPath) }
  })

/**
 * Returns links to the copied answers that are still unconfirmed, with their labels and values. The question itself is
 * shown once, above the list.
 */
const unconfirmedItems = (
  kind: DocumentKind,
  record: Values,
  unconfirmed: readonly Violation[],
  told: Readonly<Record<string, string>> = {},
): Item[] =>
  unconfirmed.map(({ propertyPath, message }) => {
    const field = formFieldsIn(kind.schema).find((f) => f.name === propertyPath)
    const said =
      told[propertyPath] ?? (field && field.kind !== 'custom' ? formatDocumentValue(field, record[field.name]) : '')
    return {
      text: field?.label ?? message.replace(/: [^:]*: [^:]*$/, ''),
      ...(said ? { detail: said } : {}),
      to: draftFieldPath(kind, record, propertyPath),
    }
  })

interface ListProps {
  readonly title: string
  readonly about?: string
  readonly icon: Icon
  readonly meaning: 'attention' | 'stop'
  readonly items: readonly Item[]
}

/** List of things to check, each with a link to its field. Renders nothing if there are none. */
function CompletionCheckList({ title, about, icon: Picture, meaning, items }: ListProps) {
  const id = useId()
  if (!items.length) return null
  return (
    <section className={`${page.card} ${css.list}`} data-meaning={meaning} aria-labelledby={id}>
      <h2 id={id}>
        <Picture size={20} aria-hidden /> {title}
      </h2>
      {about && <p className={page.quiet}>{about}</p>}
      <ul>
        {items.map(({ text, detail, to }) => (
          <li key={`${to} ${text}`}>
            <Anchor component={Link} to={to}>
              {text}
            </Anchor>
            {detail && <span className={css.detail}>{detail}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface EmptyProps {
  readonly kind: DocumentKind
  readonly record: Values
  readonly empty: readonly Parts[]
}

/** Optional fields left blank, by step. Renders nothing if there are none. */
const EmptyPartsCard = ({ kind, record, empty }: EmptyProps) =>
  empty.length > 0 && (
    <section className={page.card} aria-labelledby="check-empty">
      <h2 id="check-empty">Optional fields left blank</h2>
      <p className={page.quiet}>Please check that these fields are meant to be blank.</p>
      <dl className={css.empty}>
        {empty.map(({ step, title, fields }) => (
          <div key={step}>
            <dt>{title}</dt>
            <dd>
              <ul>
                {fields.map(({ name, label }) => (
                  <li key={name}>
                    <Anchor component={Link} to={draftFieldPath(kind, record, name)}>
                      {label}
                    </Anchor>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

interface Props {
  /** Type components that use the record's own form. */
  readonly parts: DocumentTypeComponents
  readonly usual: FormSchema
  readonly record: DocumentRecord
  readonly etag: string | null
  /** Called if another user has changed the record since this page loaded it. */
  readonly onChanged: () => void
}

const WIDE = '(min-width: 84em)'

/**
 * Final check of a draft: what is missing, what the user must confirm, what will be sealed and who will approve it.
 * Contains the button that completes the draft.
 */
export function CompletionCheckForm({ parts, usual, record, etag, onChanged }: Props) {
  const { kind } = parts
  const navigate = useNavigate()
  const act = useDocumentAction(kind)
  const words = completionTexts(kind)
  const former = usePreviousRevision(kind, record, needsApproval(kind) && record.revision > 1)
  const [change, setChange] = useState<ChangeCategory>('material')
  const [refused, setRefused] = useState<readonly Violation[]>([])
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const check = checkCompletion(kind, record)
  const own = parts.check?.(record)
  const missing = [...check.missing, ...refused]
  const first = [...missing, ...check.unconfirmed][0]
  const writing = `${kind.screens.update}/${record.id}`
  const name = `${record.documentNumber} revision ${record.revision}`
  usePageTitle(`Check ${record.documentNumber} ${documentTitleOrUntitled(kind, record)}`)
  const pdf = () => void openPdf(`${record['@id']}/pdf`).catch((e: unknown) => toast.failed(e, pdf))
  const seal = async () => {
    try {
      const done = await act.mutateAsync({ id: record.id, action: 'complete', input: former ? { change } : {}, etag })
      toast.info(`${name} ${words.done}`, 'safe')
      await navigate(`${kind.screens.list}/view/${done.id}`)
    } catch (failed) {
      const e = translateFormErrorPaths(failed)
      if (e instanceof ApiError && e.violations.length) return setRefused(e.violations)
      if (e instanceof ApiError && e.status === 412) onChanged()
      toast.failed(e, e instanceof ApiError && e.status === 412 ? undefined : () => void seal())
    }
  }
  const complete = useSingleFlight(seal)
  const paper = <DocumentSheet parts={parts} usual={usual} record={record} />
  return (
    <Page
      title="Check before completing"
      back={{ label: 'Back to editing', to: writing }}
      beside={
        <>
          <strong>{documentTitleOrUntitled(kind, record)}</strong>
          <span>{name}</span>
          <DocumentChips record={record} />
        </>
      }
    >
      <OfflineNotice>You are offline. Complete the document when the connection is back.</OfflineNotice>
      <SimultaneousReveal waiting={<LoadingRows rows={12} />}>
        <div className={css.halves} data-paper={wide || undefined}>
          <div className={css.checks}>
            <PreviousRejection kind={kind} record={record} since={parts} />
            <CompletionCheckList
              title={missing.length === 1 ? 'One problem to correct' : `${missing.length} problems to correct`}
              about="Select a problem to go to its field."
              icon={IconAlertTriangle}
              meaning="stop"
              items={missingItems(kind, record, missing)}
            />
            <CompletionCheckList
              title={`Copied answers to confirm (${check.unconfirmed.length})`}
              about={`${formatCopiedAnswerPrompt(record)} Confirm or correct each answer.`}
              icon={IconCopyCheck}
              meaning="attention"
              items={unconfirmedItems(kind, record, check.unconfirmed, own?.told)}
            />
            {own?.looks.map(({ title, items }) => (
              <CompletionCheckList
                key={title}
                title={`${title} (${items.length})`}
                icon={IconEyeCheck}
                meaning="attention"
                items={items.map((item) => ({ ...item, to: draftFieldPath(kind, record, item.at) }))}
              />
            ))}
            <section className={page.card} aria-labelledby="check-sealed">
              <h2 id="check-sealed">Content to be sealed</h2>
              <ul className={css.plain}>
                {[...(own?.sums ?? []), ...describeSealedAttachments(kind, record)].map((sum) => (
                  <li key={sum}>{sum}</li>
                ))}
              </ul>
              <p className={page.quiet}>
                {`Once completed, this revision’s text, pictures and references are sealed, so that any later change can be detected. To change ${record.documentNumber}, start a new revision.`}
              </p>
              <div className={page.buttons}>
                <Button variant="default" leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={pdf}>
                  View PDF
                </Button>
              </div>
            </section>
            <EmptyPartsCard kind={kind} record={record} empty={check.empty} />
            {!wide && (
              <details className={css.fold}>
                <summary>{`Read ${record.documentNumber} as it will be sealed`}</summary>
                {paper}
              </details>
            )}
            {former && (
              <>
                <section className={page.card} aria-labelledby="check-changed">
                  <h2 id="check-changed">Changes</h2>
                  <DraftChanges parts={parts} before={former} after={record} />
                </section>
                <ChangeCategoryField kind={kind} former={former} value={change} onChange={setChange} />
              </>
            )}
            {needsApproval(kind) ? (
              <DraftApprovers kind={kind} record={record} />
            ) : (
              <InForceOnCompletionNotice kind={kind} record={record} />
            )}
            <div className={css.end}>
              {first ? (
                <>
                  <span>This document can’t be completed yet.</span>
                  <Button component={Link} to={draftFieldPath(kind, record, first.propertyPath)}>
                    Go to the first problem
                  </Button>
                </>
              ) : (
                <Button
                  leftSection={<IconCheck size={16} aria-hidden />}
                  loading={act.isPending}
                  onClick={() => void complete()}
                >
                  {words.button}
                </Button>
              )}
              <Button component={Link} to={writing} variant="default">
                Back to editing
              </Button>
            </div>
          </div>
          {wide && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
            <aside className={css.paper} aria-label="Document as it will be sealed" tabIndex={0}>
              {paper}
            </aside>
          )}
        </div>
      </SimultaneousReveal>
    </Page>
  )
}

interface InForceOnCompletionNoticeProps {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/**
 * Notice for document types without approval: completing the draft puts it in force. Names the document's readers and
 * the revision that it replaces.
 */
function InForceOnCompletionNotice({ kind, record }: InForceOnCompletionNoticeProps) {
  const former = usePreviousRevision(kind, record)
  const replaced = allowsOneInForcePerClient(kind, record)
    ? ` It will replace any other ${kind.noun} that is in force.`
    : former?.current
      ? ` It will replace revision ${former.revision}.`
      : ''
  return (
    <section className={page.card} aria-labelledby="at-once">
      <h2 id="at-once">No approval needed</h2>
      <Text>{`This document will come into force as soon as it is complete, for these readers: ${audienceLabel(record.audience)}.${replaced}`}</Text>
    </section>
  )
}

interface ChangeCategoryFieldProps {
  readonly kind: DocumentKind
  readonly former: DocumentRecord
  readonly value: ChangeCategory
  readonly onChange: (value: ChangeCategory) => void
}

/** Field for a revision's change category, which the person who completes the revision chooses. */
const ChangeCategoryField = ({ kind, former, value, onChange }: ChangeCategoryFieldProps) => (
  <section className={page.card}>
    <Radio.Group
      label={`Change category (compared with revision ${former.revision})`}
      description="The approver can change this."
      value={value}
      onChange={(next) => onChange(next as ChangeCategory)}
    >
      <Stack gap={4} mt="xs">
        {getChangeCategories(kind).map((o) => (
          <Radio key={o.value} value={o.value} label={o.label} />
        ))}
      </Stack>
    </Radio.Group>
  </section>
)
