import { Alert, Button, FileButton, Text, Textarea, TextInput } from '@mantine/core'
import { IconFileTypePdf, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { fileSizeProblem } from '#kernel/file-limit.ts'
import { callApi } from '#web/api/client.ts'
import { formatDay, formatMoment } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { PackAnswerSection } from './answer-with-pack.web.tsx'
import { MAX_RAMS_BYTES, type RequestedRams } from './rams-request.ts'
import css from './requests.module.css'

/** Page opened by the link: the request and a form to send RAMS, without signing in. */
export default function SendRamsPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/asked_rams/${token}`
  const queries = useQueryClient()
  const onSent = (answer: RequestedRams) => queries.setQueryData([at], answer)
  return (
    <PublicLinkPage<RequestedRams>
      at={at}
      title="RAMS"
      titleOf={({ asked }) => asked && `RAMS for ${asked.job}`}
      closedTitle="Nothing to send"
      narrow
    >
      {({ company, asked }) =>
        asked && (
          <>
            <Text>
              {`${company} requests the risk assessments and method statement of ${asked.company} for ${asked.job}${
                asked.site ? `, ${asked.site}` : ''
              }, by ${formatDay(asked.due)}. This link is valid until ${formatDay(asked.until)}.`}
            </Text>
            {asked.notes && <Text className={css.words ?? ''}>{`“${asked.notes}”`}</Text>}
            {asked.state === 'returned' && (
              <Alert color="yellow" title="Please send corrected RAMS">
                {asked.reason}
              </Alert>
            )}
            <Sent sent={asked.sent} />
            <SendForm at={at} person={asked.person} again={asked.sent.length > 0} onSent={onSent} />
            <PackAnswerSection at={at} company={company} onSent={onSent} />
          </>
        )
      }
    </PublicLinkPage>
  )
}

function Sent({ sent }: Pick<NonNullable<RequestedRams['asked']>, 'sent'>) {
  if (!sent.length) return null
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">Sent files</h2>
      <ul className={css.versions}>
        {sent.map(({ version, name, at }) => (
          <li key={version}>
            <div className={css.what}>
              <strong>{`Version ${version}: ${name}`}</strong>
              {at && <span className={page.quiet}>{formatMoment(at)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FormProps {
  readonly at: string
  readonly person: string
  readonly again: boolean
  readonly onSent: (answer: RequestedRams) => void
}

function SendForm({ at, person, again, onSent }: FormProps) {
  const [file, setFile] = useState<File | null>(null)
  const [sender, setSender] = useState(person)
  const [notes, setNotes] = useState('')
  const [missing, setMissing] = useState<string>()
  const send = useMutation({
    mutationFn: (chosen: File) => {
      const form = new FormData()
      form.append('sender', sender)
      form.append('notes', notes)
      form.append('file', chosen)
      return callApi<RequestedRams>('POST', `${at}/files`, form)
    },
    onSuccess: (answer) => {
      setFile(null)
      setNotes('')
      onSent(answer)
    },
  })
  const wrong = missing ?? (send.isError ? errorSentence(send.error) : undefined)
  const choose = (chosen: File | null) => {
    send.reset()
    setMissing(chosen ? fileSizeProblem(chosen, MAX_RAMS_BYTES) : undefined)
    setFile(chosen)
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!file) return setMissing('Please choose a PDF')
        if (!fileSizeProblem(file, MAX_RAMS_BYTES)) send.mutate(file)
      }}
    >
      <h2>{again ? 'Send another version' : 'Send your RAMS'}</h2>
      <OfflineNotice>You are offline. Please send your RAMS when the connection is back.</OfflineNotice>
      <TextInput
        label="Your name"
        maxLength={200}
        autoComplete="name"
        value={sender}
        onChange={(e) => setSender(e.currentTarget.value)}
      />
      <div>
        <FileButton accept="application/pdf,.pdf" onChange={choose}>
          {(props) => (
            <Button {...props} variant="default" size="md" leftSection={<IconFileTypePdf size={18} aria-hidden />}>
              {file ? 'Choose another PDF' : 'Choose PDF'}
            </Button>
          )}
        </FileButton>
        <Text size="sm" mt="xs">
          {file ? file.name : 'One PDF of at most 10 MB'}
        </Text>
      </div>
      <Textarea
        label="Note"
        maxLength={1000}
        autosize
        minRows={2}
        value={notes}
        onChange={(e) => setNotes(e.currentTarget.value)}
      />
      {wrong && <ErrorText>{wrong}</ErrorText>}
      {send.isSuccess && !file && (
        <Alert color="green" role="status">
          Your RAMS have been received. Thank you. You will get an e-mail if anything needs correcting.
        </Alert>
      )}
      <Button
        type="submit"
        size="md"
        className={css.file ?? ''}
        loading={send.isPending}
        leftSection={<IconSend size={18} aria-hidden />}
      >
        Send
      </Button>
    </form>
  )
}
