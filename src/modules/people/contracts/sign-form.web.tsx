import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type SignatureValue, signatureProblems } from '#kernel/signature.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { withTimeout } from '#web/api/with-timeout.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { firstMessageByField } from '#web/forms/inputs/signature-form.tsx'
import { EMPTY_SIGNATURE, SignaturePad } from '#web/forms/inputs/signature-pad.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import layout from '#web/ui/page.module.css'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from './contracts.module.css'

interface SheetProps {
  readonly contract: { readonly number: string; readonly title: string; readonly body: string; readonly digest: string }
}

/** The whole text of a contract, with the digest that a signature states. */
export const ContractSheet = ({ contract: { number, title, body, digest } }: SheetProps) => (
  <article className={layout.card} aria-label={title}>
    <div className={css.sheet}>
      <RichTextView html={body} />
    </div>
    <p className={css.digest}>{`End of contract ${number}. Digest of this text: ${digest}`}</p>
  </article>
)

interface Props {
  /** URL of the contract, or of the link to it, in the API. */
  readonly at: string
  readonly digest: string
  /** Name of the person who signs. */
  readonly name: string
  readonly step: 'sign' | 'countersign'
  /** Sentence that the signature confirms. */
  readonly statement: string
  /** Called with the response, and after an error, since another decision may have been first. */
  readonly onDone: (answer?: unknown) => void
}

/** Section at the end of a contract: sign it with a drawn or typed name, or decline it with a reason. */
export function SignContract({ at, digest, name, step, statement, onDone }: Props) {
  const [isDeclining, setDeclining] = useState(false)
  const title = step === 'sign' ? 'Sign' : 'Countersign'
  return (
    <section className={layout.card} aria-labelledby="sign-contract">
      <h2 id="sign-contract">{isDeclining ? 'Decline' : title}</h2>
      <OfflineNotice>You are offline. You can sign when the connection is back.</OfflineNotice>
      {isDeclining ? (
        <DeclineForm at={at} onDone={onDone} onBack={() => setDeclining(false)} />
      ) : (
        <SignatureOfContract
          {...{ at, digest, name, step, statement, onDone, title }}
          {...(step === 'sign' ? { onDecline: () => setDeclining(true) } : {})}
        />
      )}
    </section>
  )
}

interface SignatureProps extends Props {
  readonly title: string
  readonly onDecline?: () => void
}

function SignatureOfContract({ at, digest, name, step, statement, title, onDone, onDecline }: SignatureProps) {
  const [given, setGiven] = useState<SignatureValue>({ ...EMPTY_SIGNATURE, name })
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const sign = useMutation({
    mutationFn: () =>
      withTimeout((signal) => callApi('POST', `${at}/${step}`, { digest, signature: given }, { signal })),
    onSuccess: (answer) => onDone(answer),
    onError: (error) => {
      if (error instanceof ApiError && error.violations.length) setWrong(firstMessageByField(error.violations))
      else onDone()
    },
  })
  const guard = useUnsavedChangesGuard(given.strokes.length > 0 && sign.isIdle)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        const problems = signatureProblems(given)
        setWrong(firstMessageByField(problems))
        if (!problems.length) sign.mutate()
      }}
    >
      <Stack gap="md">
        <Text>{statement}</Text>
        <SignaturePad
          label="Your signature"
          value={given}
          onChange={setGiven}
          errors={{ name: wrong.name, strokes: wrong.strokes }}
          readOnly={sign.isPending}
        />
        {guard}
        {sign.isError && <FormErrorText>{`Not signed. ${errorSentence(sign.error)}`}</FormErrorText>}
        <Group gap="sm">
          <Button
            type="submit"
            size="md"
            loading={sign.isPending}
            leftSection={<IconSignature size={18} aria-hidden />}
          >
            {title}
          </Button>
          {onDecline && (
            <Button size="md" variant="default" onClick={onDecline}>
              Decline
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

interface DeclineProps extends Pick<Props, 'at' | 'onDone'> {
  readonly onBack: () => void
}

function DeclineForm({ at, onDone, onBack }: DeclineProps) {
  const [reason, setReason] = useState('')
  const decline = useMutation({
    mutationFn: () => callApi('POST', `${at}/decline`, { reason }),
    onSuccess: (answer) => onDone(answer),
    onError: (error) => {
      if (!(error instanceof ApiError && error.violations.length)) onDone()
    },
  })
  const wrong = decline.error instanceof ApiError ? decline.error.violations[0]?.message : undefined
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        decline.mutate()
      }}
    >
      <Stack gap="md">
        <Textarea
          label="Reason (Required)"
          description="Your company reads it. A declined contract can’t be signed any more."
          autosize
          minRows={3}
          maxLength={2000}
          value={reason}
          error={wrong}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {decline.isError && !wrong && <FormErrorText>{`Not declined. ${errorSentence(decline.error)}`}</FormErrorText>}
        <Group gap="sm">
          <Button type="submit" size="md" color="red.8" loading={decline.isPending}>
            Decline contract
          </Button>
          <Button size="md" variant="default" onClick={onBack}>
            Go back
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
