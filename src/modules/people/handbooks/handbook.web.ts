import { handbook } from './handbook.ts'
import { handbookScreens } from './handbook-screens.web.ts'

export default handbookScreens(handbook)
