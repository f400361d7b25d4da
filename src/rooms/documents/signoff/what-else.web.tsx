import { Button, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import page from '#web/ui/page.module.css'
import type { KindParts } from '../kinds/kind.web.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import { placeOfAsked, useOwnAsked } from './own-asked.web.ts'
import css from './sign-off.module.css'

interface Props {
  readonly parts: KindParts
  readonly record: DocumentRecord
}

/** Behind a signature: the way to what else waits for it, whatever kind of document that is. */
export function WhatElse({ parts, record }: Props) {
  const left = useOwnAsked().data?.['hydra:member'].filter((a) => a.document?.id !== record.id)
  const next = left?.[0]
  if (!left) return null
  return (
    <>
      <Text>{left.length === 0 ? 'Nothing else waits for your signature.' : `${left.length} more to sign.`}</Text>
      <div className={page.buttons}>
        {next ? (
          <Button
            component={Link}
            to={placeOfAsked(parts.all, next)}
            className={css.next ?? ''}
            rightSection={<IconArrowRight size={16} aria-hidden />}
          >
            {`Next: ${next.document?.title || next.document?.documentNumber}`}
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
