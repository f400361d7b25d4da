import { managementHandbook } from './handbook.ts'
import { handbookScreens } from './handbook-screens.web.ts'

export default handbookScreens(managementHandbook)
