import { Alert, Text } from '@mantine/core'

/** An e-mail merged for its recipient, as returned by the API. */
export interface MailPreview {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly missing: readonly string[]
  readonly suppressed: boolean
}

/** Preview of an e-mail, with a warning if the recipient has opted out. */
export function MailPreviewText({ of: seen }: { readonly of: MailPreview }) {
  return (
    <>
      {seen.suppressed && <Alert color="yellow">{seen.recipient} has opted out of e-mails.</Alert>}
      <section aria-label="E-mail preview">
        <Text size="sm" fw={650}>
          To {seen.recipient || 'nobody (no e-mail address)'} · {seen.subject}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {seen.body}
        </Text>
      </section>
    </>
  )
}
