import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Alert, Button, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '#web/api/client.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { FormErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import type { DocumentPart } from '../signing/hand-words.ts'
import type { OpenedPart } from '../types/document.ts'
import {
  MAX_ANSWER_COMMENT_LENGTH,
  MAX_LINK_TEXT_LENGTHS,
  type OwnPackAnswer,
  PACK_DECISIONS,
  type PackDecision,
  type SharedPack,
} from './pack-link.ts'
import css from './shared.module.css'

const packDecisionLabel = (decision: string): string =>
  PACK_DECISIONS.find(({ value }) => value === decision)?.label ?? decision

const CHOICES: readonly { readonly value: PackDecision; readonly label: string }[] = [
  { value: 'accepted', label: 'Accept' },
  { value: 'accepted with comments', label: 'Accept with comments' },
  { value: 'rejected', label: 'Reject' },
]

/** List of the answers, latest first. Only the latest applies. Renders nothing if there are none. */
export function PackAnswerList({ answers }: { readonly answers: readonly OwnPackAnswer[] }) {
  if (!answers.length) return null
  return (
    <ol className={css.answers} aria-label="Answers">
      {answers.map((one, i) => (
        <li key={one.answeredAt}>
          <strong>{packDecisionLabel(one.decision)}</strong>
          <span className={page.quiet}>
            {`${one.name}, ${one.position}, ${one.company}. Revision ${one.revision}, ${formatIsoAsUkDateTime(one.answeredAt)}${i ? '. Replaced by a later answer' : ''}`}
          </span>
          {one.comment && <span className={css.comment}>{`“${one.comment}”`}</span>}
        </li>
      ))}
    </ol>
  )
}

interface Props {
  readonly at: string
  readonly company: string
  readonly pack: NonNullable<SharedPack['pack']>
  /** Documents that were not read to the end; undefined until they are known. */
  readonly left: readonly DocumentPart[] | undefined
  readonly opened: readonly OpenedPart[]
}

/** Section in which the recipient of a pack accepts or rejects it. Accepting needs every document to be read first. */
export function PackAnswerSection({ at, company, pack, left, opened }: Props) {
  const [last] = pack.answers
  const [changing, setChanging] = useState(false)
  return (
    <section className={page.card} aria-labelledby="answer">
      <h2 id="answer">{last ? 'Your answer' : 'Accept or reject'}</h2>
      <PackAnswerList answers={pack.answers} />
      {last && !changing ? (
        <>
          <Text role="status">{`${company} can see your answer.`}</Text>
          <div className={page.buttons}>
            <Button variant="default" onClick={() => setChanging(true)}>
              Change answer
            </Button>
          </div>
        </>
      ) : (
        <AnswerForm {...{ at, company, pack, left, opened }} onDone={() => setChanging(false)} />
      )}
    </section>
  )
}

type Wrong = Readonly<Record<string, string>>

function AnswerForm({ at, company: ours, pack, left, opened, onDone }: Props & { readonly onDone: () => void }) {
  const [last] = pack.answers
  const queries = useQueryClient()
  const [decision, setDecision] = useState<PackDecision | ''>('')
  const [name, setName] = useState(last?.name ?? pack.recipient.name)
  const [company, setCompany] = useState(last?.company ?? pack.recipient.company)
  const [position, setPosition] = useState(last?.position ?? '')
  const [comment, setComment] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const send = useMutation({
    mutationFn: () =>
      callApi<SharedPack>('POST', `${at}/answer`, {
        decision,
        name,
        company,
        position,
        comment,
        opened: opened.map(({ part, seconds }) => ({ part, seconds })),
        after: pack.answers.length,
      }),
    onSuccess: (answer) => {
      queries.setQueryData([at], answer)
      onDone()
    },
    onError: (e) => {
      if (e instanceof ApiError) setWrong(Object.fromEntries(e.violations.map((v) => [v.propertyPath, v.message])))
    },
  })
  const guard = useUnsavedChangesGuard(comment !== '' && send.isIdle)
  const unread = left === undefined || left.length > 0
  const submit = (e: FormEvent) => {
    e.preventDefault()
    const found: [string, string][] = []
    if (!decision) found.push(['decision', 'Please choose whether you accept the pack'])
    if (!name.trim()) found.push(['name', 'Please enter your name'])
    if (!company.trim()) found.push(['company', 'Please enter your company'])
    if (!position.trim()) found.push(['position', 'Please enter your position'])
    if (decision === 'accepted with comments' && !comment.trim()) found.push(['comment', 'Please enter your comments'])
    if (decision === 'rejected' && !comment.trim()) found.push(['comment', 'Please enter why you reject the pack'])
    setWrong(Object.fromEntries(found))
    if (!found.length) send.mutate()
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <OfflineNotice>You are offline. Please answer when the connection is back.</OfflineNotice>
        {unread && (
          <Text role="status">
            {left === undefined
              ? 'You can accept the pack once its documents have been loaded and read.'
              : `Read every document to the end before you accept: ${left.length} to go.`}
          </Text>
        )}
        <Radio.Group
          label="Your answer (Required)"
          value={decision}
          error={wrong.decision}
          onChange={(chosen) => {
            setDecision(chosen as PackDecision)
            setWrong({})
          }}
        >
          <Stack gap={4} mt={4}>
            {CHOICES.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} disabled={value !== 'rejected' && unread} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label="Your name (Required)"
          autoComplete="name"
          maxLength={MAX_LINK_TEXT_LENGTHS.name}
          value={name}
          readOnly={pack.recipient.name !== '' && !wrong.name}
          error={wrong.name}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <TextInput
          label="Company (Required)"
          autoComplete="organization"
          maxLength={MAX_LINK_TEXT_LENGTHS.company}
          value={company}
          readOnly={pack.recipient.company !== '' && !wrong.company}
          error={wrong.company}
          onChange={(e) => setCompany(e.currentTarget.value)}
        />
        <TextInput
          label="Position (Required)"
          autoComplete="organization-title"
          maxLength={MAX_LINK_TEXT_LENGTHS.position}
          value={position}
          error={wrong.position}
          onChange={(e) => setPosition(e.currentTarget.value)}
        />
        {decision !== 'accepted' && (
          <Textarea
            label={decision ? 'Comment (Required)' : 'Comment'}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={MAX_ANSWER_COMMENT_LENGTH}
            value={comment}
            error={wrong.comment}
            onChange={(e) => setComment(e.currentTarget.value)}
          />
        )}
        <Text size="sm">
          {`Your answer, with your name, the time and revision ${pack.revision}, is sent to ${ours} and can’t be deleted. You can change it until the pack is replaced.`}
        </Text>
        {wrong.opened && (
          <Alert color="red" role="alert">
            {wrong.opened}
          </Alert>
        )}
        {send.isError && !Object.keys(wrong).length && <FormErrorText>{errorSentence(send.error)}</FormErrorText>}
        {guard}
        <div className={page.buttons}>
          <Button type="submit" size="md" loading={send.isPending}>
            Send answer
          </Button>
          {last && (
            <Button variant="default" size="md" onClick={onDone}>
              Cancel
            </Button>
          )}
        </div>
      </Stack>
    </form>
  )
}
