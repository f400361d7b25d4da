import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconEye, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import css from './error-summary.module.css'

export interface FormError {
  /** ID of the input. If not set, the message applies to the entire form. */
  readonly id?: string
  readonly label?: string
  readonly message: string
}

interface Props {
  readonly errors: readonly FormError[]
  /** Number of the current attempt to save. Each new attempt moves the focus to this summary. */
  readonly attempt: number
  readonly retry?: () => void
  /** Whether the server did not respond, so that the record may have been saved. */
  readonly lost?: boolean
  /** Shows the current version of the record. If set, it replaces `retry`. */
  readonly look?: (() => void) | undefined
}

/** Summary of the problems in a form. Each problem links to its field. */
export function ErrorSummary({ errors, attempt, retry, look, lost = false }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const any = errors.length > 0
  useEffect(() => {
    if (attempt && any) box.current?.focus()
  }, [attempt, any])
  if (!any) return null
  const fields = errors.filter((e) => e.id)
  const title =
    fields.length === 0
      ? lost
        ? 'The server did not respond: this may or may not have been saved'
        : 'This could not be saved'
      : fields.length === 1
        ? 'One problem to correct'
        : `${fields.length} problems to correct`
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      color="red"
      title={title}
      className={css.summary}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <ul className={css.list}>
        {errors.map((e) => (
          <li key={`${e.id ?? ''}${e.message}`}>
            {e.id ? (
              <a
                href={`#${e.id}`}
                onClick={(event) => {
                  event.preventDefault()
                  const input = document.getElementById(e.id ?? '')
                  input?.scrollIntoView({ block: 'center' })
                  input?.focus()
                }}
              >
                {e.label ? `${e.label}: ${e.message}` : e.message}
              </a>
            ) : (
              e.message
            )}
          </li>
        ))}
      </ul>
      {fields.length === 0 && (look ?? retry) && (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          leftSection={look ? <IconEye size={14} aria-hidden /> : <IconRefresh size={14} aria-hidden />}
          onClick={look ?? retry}
        >
          {look ? 'View the current version' : 'Retry'}
        </Button>
      )}
    </Alert>
  )
}
