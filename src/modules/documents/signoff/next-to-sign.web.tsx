import { Button, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import page from '#web/ui/page.module.css'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { useItemsToSign } from './own-requests.web.ts'
import css from './sign-off.module.css'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/**
 * Link to the next item of any type that awaits the user's signature, or to the dashboard if there is none. Shown after
 * signing.
 */
export function NextItemToSign({ parts, record }: Props) {
  const { rows, isPending, error } = useItemsToSign(parts.all)
  const left = rows.filter((one) => one.to !== `${parts.kind.screens.list}/view/${record.id}`)
  const next = left[0]
  if (isPending || error) return null
  return (
    <>
      <Text>{left.length === 0 ? 'Nothing else to sign.' : `${left.length} more to sign.`}</Text>
      <div className={page.buttons}>
        {next ? (
          <Button
            component={Link}
            to={next.to}
            className={css.next ?? ''}
            rightSection={<IconArrowRight size={16} aria-hidden />}
          >
            {`Next: ${next.title}`}
          </Button>
        ) : (
          <Button component={Link} to="/dashboard" variant="default">
            Back to the dashboard
          </Button>
        )}
      </div>
    </>
  )
}
