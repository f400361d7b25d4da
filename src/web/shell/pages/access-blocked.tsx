import { Button, Loader, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import classes from './card.module.css'
import { HOME_PATH } from './redirects.ts'

const SECONDS = 8

/**
 * Content shown instead of part of the portal while the client's pack is being checked, and if the client doesn't have
 * the pack.
 */
export function AccessBlocked({
  checking,
  blocked,
  to = HOME_PATH,
}: {
  checking: boolean
  blocked: boolean
  to?: string
}) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!blocked || checking) return
    const go = setTimeout(() => void navigate(to, { replace: true }), SECONDS * 1000)
    return () => clearTimeout(go)
  }, [blocked, checking, navigate, to])
  if (!checking && !blocked) return null
  return (
    <div className={classes.blocked} role={checking ? 'status' : 'alert'}>
      <Stack align="center" gap="md" ta="center" maw={440}>
        {checking ? (
          <>
            <Loader />
            <Text>Checking pack status now</Text>
          </>
        ) : (
          <>
            <Title order={2}>You do not have access to this part of the portal</Title>
            <Text>You will be redirected to the dashboard. Your saved data is kept and can still be exported.</Text>
            <Button onClick={() => navigate(to, { replace: true })}>Click here if not redirected</Button>
          </>
        )}
      </Stack>
    </div>
  )
}
