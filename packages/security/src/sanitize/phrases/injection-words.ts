/** Meanings that words have. The words of a script are listed in this order. */
export const concepts = [
  /** Cancels earlier instructions. */
  "drop",
  /** Warns against setting aside: the opposite of `drop`. */
  "keep",
  /** Names the instructions of a model. */
  "rules",
  /** Means all of it, or everything earlier. */
  "prior",
  /** Says that the speaker's own words are meant: people correct themselves. */
  "own",
  /** Names the subject of ordinary instructions and rules. */
  "topic",
  /** Gives the reader a new role. */
  "role",
  /** Gives a role in so many words; ordinary roles that people get are `honestRole`. */
  "newRole",
  "honestRole",
  /** Says that limits do not hold. */
  "unbound",
  /** Speaks in the voice of an operator. */
  "system",
  /** Asks to show something. */
  "reveal",
  /** Names the instructions that a model keeps for itself. */
  "prompt",
  /** Asks not to say something to the user. */
  "hushUser",
  /** Asks for silence, as people do with each other. */
  "hush",
  /** Mentions a model. */
  "machine",
  /** Addresses a model by its kind. */
  "call",
  /** People whose titles begin like the name of a model. */
  "honestCall",
  /** Asks for something. */
  "order",
  /** Speaks about the user and the task as only a model is spoken to. */
  "task",
  /** Does something with data or money. */
  "act",
  /** Names data that others should not get. */
  "secret",
  /** Names a place on the network. */
  "address",
  /** Asks to use a tool. */
  "useTool",
  "tool",
  /** Names a tool the way code does. */
  "code",
] as const;

/** A meaning that words have. */
export type Concept = (typeof concepts)[number];

type TextOfEach<List extends readonly string[]> = { readonly [Index in keyof List]: string };

/**
 * Words of texts that address a model: for each script, the words of each meaning. `|` separates words, `$` ends a
 * whole word, and a word without it is a beginning. Case, accents, invisible characters and punctuation are folded before
 * the comparison, so Latin words are written without accents. No word begins or ends with another one of its meaning.
 * Words of one script stand together because they share letters, so the file is smaller when it is compressed.
 */
export const injectionWords: readonly TextOfEach<typeof concepts>[] = [
  // Latin
  [
    /* drop */ "ignor|disregard|forget|override$|overriding|set aside|put aside|lay aside|pay no attention|stop following|no longer follow|do not follow|don't follow|discard|bypass|supersed|neglect|abandon|cease to follow|dismiss|throw out|do away with|do not adhere|need not follow|are void|are no longer valid|are cancelled|no longer appl|stop obeying|" +
      "missacht|vergiss|vergessen sie|beachte nicht|beachten sie nicht|nicht mehr beacht|außer acht|verwirf|verwerfen sie|ubergeh|setz dich uber|halte dich nicht|nicht langer befolg|befolge nicht|gelten nicht mehr|vorgaben nicht|anweisungen nicht|regeln nicht mehr|richtlinien nicht mehr|" +
      "oublie|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|ne tenez plus compte|fais abstraction|faites abstraction|laisse de cote|laissez de cote|ne suis pas|ne suivez pas|ne suis plus|passe outre|passez outre|" +
      "olvid|haz caso omiso|haga caso omiso|hagan caso omiso|no tengas en cuenta|no tenga en cuenta|no siga|descarta|deja de lado|deje de lado|pasa por alto|deja de seguir|" +
      "dimentica|dimentichi|non tenere conto|non tenga conto|non considerare|non seguire|trascura|tralascia|lascia perdere|metti da parte|scordati|" +
      "esquec|desconsider|desprez|nao leve em conta|nao siga|deixe de lado|deixa de lado|nao tenha em conta|" +
      "negeer|vergeet|houd geen rekening|hou geen rekening|laat buiten beschouwing|volg niet|sla geen acht|" +
      "zignoruj|zapomnij|pomin|nie zwracaj uwagi|nie stosuj|odrzuc|nie przestrzegaj|zlekcewaz|" +
      "bortse fran|glom|strunta i|glem|se bort fra|jata huomiotta|unohda|ala valita|zapomen|nedbej|nehled|zabudni|hagyd figyelmen|felejtsd|uita|nu tine cont|nu tine seama|" +
      "yok say|gormezden gel|unut|dikkate alma|goz ardı et|bos ver|" +
      "bo qua|hay quen|phot lo|đung tuan|abaikan|lupakan|jangan ikuti|kesampingkan|hiraukan|huwag pansinin|kalimutan|puuza|sahau maagizo",
    /* keep */ "do not ignor|don't ignor|never ignor|not to ignor|cannot ignor|can't ignor|not forget|don't forget|never forget|didn't forget|not to forget|don't disregard|never disregard|not disregard|do not bypass|never bypass|don't bypass|not overrid|don't overrid|never overrid|not discard|ignoring|ignored|ignores|ignorant|ignorance|forgets|forgetting|i forget|we forget|people forget|they ignor|often ignor|who ignor|easy to ignor|hard to ignor|tend to ignor|tends to ignor|want to ignor|chose to ignor|choose to ignor|tend to forget|tends to forget|often forget|always forget|easy to forget|hard to forget|tried to ignor|can ignor|safely ignor|may ignor|can disregard|may disregard|safely disregard|disregard this|ignore this message|ignore this email|ignore this letter|" +
      "nicht ignorier|nicht missacht|nicht vergess|nicht ubergeh|n'oublie|n'ignore|no olvid|no ignor|nunca olvid|non dimentica|non ignor|nao esquec|nao se esquec|nao ignor|niet vergeet|vergeet niet|negeer niet|nie zapomnij|nie ignoruj|unutma|jangan lupa|jangan abaikan|đung quen",
    /* rules */ "direction|directive|prompt$|prompts$|system prompt|rule$|rules$|guideline|guidance|guardrail|restriction|safety protocol|constraint|what you were told|what you have been told|what you've been told|everything you were told|everything you have been told|everything you've been told|what you were asked|what i told you|what was said before|programming|commands$|safeguards|briefing|context$|your orders|the task you were given|your task|your current task|original task|" +
      "anweisung|vorgabe|instruktion|richtlinie|regeln|regel$|befehl|auftrag|weisung|was dir gesagt|was man dir|" +
      "consigne|regle|ordres|ce qu'on t'a dit|" +
      "indicacion|directri|regla|ordenes|directiva|lo que te dij|lo que te han dicho|" +
      "istruzion|direttiv|regol|indicazion|ordini|quello che ti e stato detto|" +
      "instruc|diretri|regra|orientac|ordens|comandos|o que lhe foi dito|" +
      "richtlijn|opdracht|regels|aanwijzing|voorschrift|" +
      "polecen|wytyczn|zasad|reguł|nakaz|" +
      "anvisning|riktlinj|instruks|retningslinje|ohje|saan|pokyn|instrukc|pravid|utasitas|szabaly|reguli|indicati|" +
      "talimat|yonerge|kural|komut|yonlendirme|" +
      "huong dan|chi thi|menh lenh|quy tac|chi dan|petunjuk|perintah|aturan|arahan|tagubilin|maagizo",
    /* prior */ "prior|above|earlier|foregoing|original|initial|existing|current|former|so far|until now|up to now|you were given|you have been given|you've been given|you had been given|you received|you have received|you were told|you have been told|you've been told|given to you|all$|any$|every|entire|your|system|" +
      "vorherig|bisherig|vorangegangen|vorhergehend|vorig|obig|fruher|ursprunglich|zuvor|alle$|alles$|die dir$|samtliche|deine|bis jetzt|bislang|" +
      "anterieur|ci-dessus|recu|toutes|tous|tes$|jusqu'ici|jusqu'a present|d'avant|qu'on t'a|qui t'ont|que tu as|" +
      "anterior|previa|previo|todas|todos|tus$|recibid|hasta ahora|hasta aqui|que te$|que se te|" +
      "prece|iniziali|tutte|tutti|tue$|ricevut|finora|originari|che ti sono|che ti hanno|che hai|" +
      "iniciais|suas$|tuas$|recebid|ate agora|que lhe|que voce|" +
      "eerdere|voorgaande|bovenstaande|jouw|tot nu toe|oorspronkelijk|die je hebt|die je zijn|" +
      "poprzedni|wczesniejsz|powyzsz|wszystk|dotychczas|swoje|pierwotn|" +
      "tidigare|foregaende|ovanstaende|alla$|tidligere|aiemm|aikaisemm|edelli|kaikki|predchoz|dosavadn|vsechny|korabbi|elozo|eddigi|minden|anterioare|toate|" +
      "onceki|yukarıdaki|tum$|butun|simdiye kadar|" +
      "truoc|tat ca|moi$|ben tren|sebelumnya|semua|seluruh|di atas|nakaraan|lahat|zote|awali",
    /* own */ "my previous|my earlier|my last|my prior|my instruction|my direction|our previous|our earlier|our prior|my old|our old|her previous|his previous|their previous|their earlier|meine vorherig|meine letzt|meine fruher|meine anweisung|mes instructions|mes consignes|mis instruccion|mis indicacion|mie istruzion|minhas instruc|mijn vorige|mijn eerdere|moje poprzednie|benim onceki",
    /* topic */ "rules of|of the prompts|instructions on the|instructions on page|instructions on how|instructions for the|instructions for assembl|instructions in the|instructions in your|instructions in my|instructions about|instructions regarding|instructions i sent|instructions we sent|directions to|directions on the|guidance on|guidance about|guidelines on|guidelines about|guidelines for|rules on|rules about|rules for the|rules you know|instructions printed|instructions that came with|instructions if you|instructions and follow the new|instructions and use the new|anweisungen zur|anweisungen zum|anweisungen im|anweisungen auf|instrucciones de montaje|instrucciones del|istruzioni di montaggio|istruzioni del|instructions de montage|instructions du|regels van",
    /* role */ "you are now|you're now|from now on you|from this point on you|from this moment you|act as|acting as|pretend|roleplay|role-play|role play|you will now be|your new role|assume the role|assume the persona|take on the role|behave as|switch to|enter|" +
      "du bist jetzt|du bist nun|ab jetzt bist|ab sofort bist|von nun an|tu es maintenant|vous etes maintenant|a partir de maintenant|desormais|ahora eres|ahora es usted|a partir de ahora|de ahora en adelante|ora sei|adesso sei|d'ora in poi|da questo momento|agora voce e|agora es|a partir de agora|de agora em diante|je bent nu|vanaf nu|u bent nu|jestes teraz|teraz jestes|od teraz|du ar nu|fran och med nu|du er nu|fra nu af|olet nyt|nyni jsi|odted|mostantol|de acum inainte|artık sen|bundan sonra|su andan itibaren|" +
      "bay gio ban|tu bay gio|kamu sekarang|anda sekarang|mulai sekarang",
    /* newRole */ "you are now a$|you are now an$|you're now a$|you're now an$|du bist jetzt ein|ahora eres un|ora sei un|tu es maintenant un|agora voce e um|je bent nu een",
    /* honestRole */ "you are now a member|you are now a proud|you are now a part|you are now a customer|you are now a subscriber|you are now a premium|you are now a verified|you are now a registered|you are now a follower|you are now a guest|you are now a friend|you are now a beneficiary|you are now a citizen|you are now a resident|you are now an owner|you are now an author|you are now an admin of|you are now an organi|you are now an official|you are now an alum|you are now a graduate|you are now a homeowner|you are now a certified|you are now a shareholder|you are now a maintainer|you are now a collaborator|you are now a moderator|du bist jetzt ein mitglied|ahora eres un miembro|ora sei un membro|you are now a few|you are now a step|you are now an hour|you are now a parent|you are now a grand|you are now a contributor|you are now a team",
    /* unbound */ "unrestricted|dan$|without restriction|without any restriction|no restrictions|without limits|without filter|no rules|no longer bound|not bound by|jailbr|developer mode|debug mode|admin mode|maintenance mode|god mode|do anything now|uncensored|unfiltered|evil|root$|superuser|system administrator|without any ethical|free of all|free from all|no guidelines|sudo mode|" +
      "ohne einschrankung|uneingeschrankt|ohne beschrankung|entwicklermodus|sans restriction|sans limite|sans filtre|mode developpeur|sin restriccion|sin limite|sin filtro|modo desarrollador|senza restrizion|senza limit|senza filtr|modalita sviluppatore|sem restric|sem limite|sem filtro|modo desenvolvedor|modo de desenvolvedor|zonder beperking|onbeperkt|ontwikkelaarsmodus|bez ograniczen|tryb dewelopera|tryb programisty|utan begransning|uden begrænsning|bez omezeni|korlatozas nelkul|fara restrictii|kısıtlama olmadan|sınırsız|gelistirici modu|khong gioi han|khong bi han che|tanpa batasan|mode pengembang",
    /* system */ "system message|system override|system note|system notice|system instruction|system command|system update|new directive|new orders from|new instruction|updated instruction|revised instruction|important message from|important message to|this is an important message|important instruction|important notice to|administrator override|admin override|override code|begin_instruction|begin instruction|end of instructions|priority override|security override|instruction update|critical instruction|hidden instruction|emergency protocol|" +
      "systemnachricht|systemmeldung|systemanweisung|neue anweisung|message systeme|message du systeme|nouvelle instruction|nouvelles instructions|nouvelle consigne|nouvelles consignes|mensaje del sistema|nueva instruccion|nuevas instrucciones|nueva indicacion|messaggio di sistema|messaggio del sistema|nuova istruzione|nuove istruzioni|mensagem do sistema|nova instrucao|novas instrucoes|systeembericht|nieuwe instructie|komunikat systemow|wiadomosc systemowa|nowa instrukcja|nowe instrukcje|nowe polecenie|sistem mesajı|yeni talimat|instruksi baru|chi thi moi",
    /* reveal */ "reveal|contents of your system|print$|repeat|show$|output$|leak|display|disclose|tell me|what is your|what are your|quote|recite|dump|zeig|gib|nenne|wiederhol|revele|affiche|montre|repete|revela|muestra|repite|imprime|rivela|mostra|ripeti|mostre|repita|toon|onthul|herhaal|ujawnij|pokaz|powtorz|goster|acıkla|tampilkan|ungkapkan|tiet lo",
    /* prompt */ "your system prompt|the system prompt|full system prompt|entire system prompt|your prompt|your instructions|your initial instruction|your original instruction|your hidden|your secret instruction|your system message|your configuration|deinen systemprompt|deine anweisungen|dein prompt|tes instructions|tes consignes|ton prompt|prompt systeme|prompt del sistema|tus instrucciones|tu prompt|prompt di sistema|tue istruzioni|prompt do sistema|suas instrucoes|systeemprompt|jouw instructies|prompt systemow|swoje instrukcje|sistem komut|sistem istem|prompt sistem|prompt he thong",
    /* hushUser */ "don't tell the user|not tell the user|do not mention this to the user|don't mention this to the user|do not mention it to the user|don't mention it to the user|do not mention to the user|do not inform the user|don't inform the user|without telling the user|without mentioning it to the user|without mentioning this to the user|without notifying the user|don't notify the user|do not notify the user|don't let the user know|do not let the user|hide this from the user|hide it from the user|conceal this from the user|keep this from the user|keep it from the user|not be shown to the user|not visible to the user|user does not need to know|user doesn't need to know|user need not know|user must not know|user should not know|user must not notice|user won't notice|no need to mention this|no need to tell the user|no need to inform the user|no need to bother the user|no need to trouble the user|do not alert the user|don't alert the user|do not ask the user|don't ask the user|without asking the user|do not disclose this|do not reveal this|don't reveal this|" +
      "sag dem nutzer nichts|sage dem nutzer nichts|sag dem benutzer nichts|sage dem benutzer nichts|dem nutzer nicht|dem benutzer nicht|den nutzer nicht|den benutzer nicht|ohne den nutzer|ohne den benutzer|ohne dem nutzer|ohne dem benutzer|der nutzer muss davon nichts|der nutzer darf|" +
      "a l'utilisateur|n'en informe pas|sans en informer|sans informer l'utilisateur|sans prevenir l'utilisateur|l'utilisateur ne doit pas|n'en parle pas|n'en parlez pas|ne previens pas|ne le mentionne pas|ne mentionne pas cela|" +
      "al usuario|sin que el usuario|sin avisar|no se lo digas|no se lo menciones|no lo menciones|all'utente|senza informare|senza avvisare|senza che l'utente|non dirlo|non menzionarlo|ao usuario|ao utilizador|sem informar|sem avisar|nao conte|aan de gebruiker|de gebruiker niet|zonder de gebruiker|nie mow uzytkownik|nie informuj uzytkownik|nie wspominaj|bez informowania|bez wiedzy uzytkownik|" +
      "kullanıcıya soyleme|kullanıcıya bahsetme|kullanıcıya haber verme|kullanıcıyı bilgilendirme|kullanıcının haberi|sag inget till anvandaren|beratta inte for anvandaren|fortæl ikke brugeren|ala kerro kayttajalle|nerikej uzivateli|ne mondd el a felhasznalonak|nu spune utilizatorului|" +
      "đung noi voi nguoi dung|khong can thong bao cho nguoi dung|đung cho nguoi dung|jangan beri tahu pengguna|jangan beritahu pengguna|tanpa sepengetahuan pengguna|tanpa memberi tahu pengguna",
    /* hush */ "do not tell|don't tell|without telling|do not mention|don't mention|do not inform|without informing|secretly|silently|discreetly|quietly|covertly|without notifying|verrate|heimlich|stillschweigend|en secret|discretement|discretamente|sin decir|di nascosto|em segredo|stiekem|w tajemnicy|po cichu|gizlice|sessizce|diam-diam|bi mat|len lut",
    /* machine */ "ai assistant|ai agent|ai model|ai system|ai tool|language model|llm$|llms$|chatbot|chatgpt|gpt$|claude|gemini|copilot|virtual assistant|digital assistant|automated assistant|automated agent|this assistant|the assistant|the agent|ki-assistent|ki-agent|ki-modell|ki-system|kunstliche intelligenz|sprachmodell|assistant ia|agent ia|modele de langage|intelligence artificielle|agente de ia|modelo de lenguaje|inteligencia artificial|assistente ai|assistente ia|assistente virtuale|agente ai|modello linguistico|intelligenza artificiale|assistente de ia|modelo de linguagem|ai-assistent|taalmodel|asystent ai|asystencie|asystenta ai|model jezykowy|sztuczna inteligencja|sprakmodell|tekoaly|jazykovy model|nyelvi modell|yapay zeka|asistan|dil modeli|tro ly|asisten",
    /* call */ "dear ai|dear assistant|dear llm|dear agent|dear language model|dear chatbot|hey ai|hey assistant|hey agent|hi ai|hi assistant|hello ai|hello assistant|attention ai|attention assistant|attention all ai|attention agent|attention llm|attention language model|attention chatbot|note to ai|note to assistant|note to any automated|note to any assistant|as the language model|as the ai reading|as the assistant reading|note to llm|note for ai|note for the ai|note for the assistant|instruction for ai|instructions for ai|instruction for the ai|instructions for the ai|instructions for the assistant|instruction for the assistant|instructions for assistant|instructions for llm|instructions for language model|instructions for any ai|message for the ai|message to ai|message for ai|message for the assistant|if you are an ai|if you're an ai|if you are a language model|if you are a large language|if you are an llm|if you are an assistant|if you're a language model|if an ai|if any ai|as an ai you|as an ai assistant|as an ai model|as an ai agent|as an ai language|as a language model|as an assistant you|as the assistant you|ai assistants reading|ai reading this|assistant reading this|agent reading this|model reading this|assistant processing this|agent processing this|ai processing this|assistant you must|assistant must|assistant please|assistant should|assistant shall|assistant is required|ai agent must|ai agent please|ai agent should|llm must|llm please|model must|ai must|ai please|ai you must|agent you must|to whichever assistant|to the assistant|to the ai|to any ai|whichever ai|the ai handling|assistant handling this|agent handling this|ai handling this|" +
      "wurde der assistent bitte|lieber assistent|liebe ki|lieber ki|an den assistenten|an die ki|hinweis fur den assistenten|hinweis fur die ki|anweisung fur die ki|hinweis fur ki|wenn du eine ki|falls du eine ki|cher assistant|a l'attention de l'ia|a l'attention de l'assistant|a l'assistant|note pour l'assistant|note pour l'ia|si tu es une ia|si vous etes une ia|instructions pour l'ia|querido asistente|estimado asistente|nota para el asistente|instrucciones para el asistente|instrucciones para la ia|nota para la ia|si eres una ia|caro assistente|gentile assistente|nota per l'assistente|istruzioni per l'assistente|istruzioni per l'ia|se sei un'ia|se sei un assistente|prezado assistente|nota para o assistente|instrucoes para o assistente|instrucoes para a ia|se voce e uma ia|se voce for uma ia|beste assistent|voor de assistent|als je een ai|drogi asystencie|szanowny asystencie|uwaga dla asystenta|instrukcja dla asystenta|jesli jestes sztuczna|sevgili asistan|sayın asistan|asistan icin not|eger bir yapay zeka|kepada asisten|asisten yang terhormat|gui tro ly",
    /* honestCall */ "assistant manager|assistant coach|assistant team|assistant professor|assistant director|assistant editor|assistant principal|assistant teacher|assistant nurse|assistant to the|assistant secretary|assistant referee|assistant store|assistant chef|assistant cook|assistant producer|assistant engineer|assistant dean",
    /* order */ "should$|must$|reply only|respond only|answer only|responde|responda|repond|antworte|rispond|poderia|podria|pourriez|pourrais|konntest|konnten|zou je|zou u|mogłby|potrebbe|potresti|if you could|be grateful if|appreciate it if|appreciated if|you must|you should|you shall|you have to|you need to|you will need|you are required|you are to|please|kindly|immediately|make sure|be sure|would you|could you|your task|your job|you will$|instead|bitte|musst du|du musst|sollst du|du sollst|sofort|veuillez|merci d|s'il te plait|s'il vous plait|tu dois|vous devez|por favor|debes|debe$|tienes que|per favore|devi$|deve$|voce deve|gelieve|alsjeblieft|je moet|moet je|musisz|prosze|lutfen|malısın|gerekiyor|harap|tolong|silakan|hay|vui long",
    /* task */ "the user wants you to|the user asked you to|the user has asked you|the user also wants|the user would like you|the user would also|the user has authori|the user has changed the task|the user changed the task|the account owner has approved|the account owner has authori|the user has already authori|the user has approved|the user already approved|the user has already approved|the user previously approved|the user consent|the user has given permission|the user has consented|to complete the user's|in order to complete the user|to fulfil the user|to fulfill the user|to answer the user's|helping the user with|while helping the user|before you can solve|before you solve the task|before solving the task|before you answer the user|before answering the user|before responding to the user|before replying to the user|when summarizing this|when summarising this|when you summarize this|when you summarise this|if you are summarizing|if you're summarizing|when processing this document|when processing this email|when processing this page|as part of your task|continue with the original task|continue with the user's|then continue with your|go on with the original task|then resume the task|return to the user's request|return to the original task|on the user's behalf|on behalf of the user|behalf of your user|your user's|your principal|your operator|the person you are assisting|the person you assist|the person you're helping|who you are assisting|" +
      "der nutzer mochte dass du|der benutzer mochte dass|der nutzer hat dich gebeten|der nutzer hat bereits zugestimmt|im namen des nutzers|im namen des benutzers|bevor du dem nutzer|bevor du antwortest|l'utilisateur veut que tu|l'utilisateur souhaite que|l'utilisateur a autorise|l'utilisateur a deja|au nom de l'utilisateur|avant de repondre a l'utilisateur|el usuario quiere que|el usuario ha autorizado|el usuario ya ha|en nombre del usuario|antes de responder al usuario|l'utente vuole che|l'utente ha autorizzato|l'utente ha gia|per conto dell'utente|prima di rispondere all'utente|o usuario quer que|o usuario autorizou|o usuario ja|em nome do usuario|antes de responder ao|de gebruiker wil dat je|de gebruiker heeft al|namens de gebruiker|voordat je antwoordt|uzytkownik chce|uzytkownik juz|w imieniu uzytkownika|zanim odpowiesz|kullanıcı senden|kullanıcı adına|kullanıcı zaten|atas nama pengguna|pengguna ingin|thay mat nguoi dung",
    /* act */ "forward$|forwarding|email$|e-mail$|upload|post$|wire$|delete$|deleting|exfiltrat|share$|copy$|include$|append|attach|submit|export|paste|payment|add$|invite|pay$|grant$|schick|leite|weiterleit|uberweis|losch|kopier|ubermittl|envoie|envoyez|envoyer|supprime|virement|transmets|transmettez|envia|envie|transfiere|transfiera|reenvia|reenvie|borra|elimina|invia$|inviare|inoltra|trasferisc|bonific|transfira|encaminhe|apague|exclua|stuur|verstuur|verwijder|maak over|overmak|wyslij|przelej|przeslij|usun|przekaz|skicka|radera|overfor|send|slet|laheta|poista|posli|odesli|smaz|kuldd|utald|trimite|sterge|gonder|ilet$|iletin|aktar|sil$|gui|chuyen|xoa|kirim|transfer|hapus|teruskan",
    /* secret */ "password|passcode|api key|api-key|apikey|api_key|credential|access token|auth token|secret key|secret token|private key|secrets$|conversation history|chat history|this conversation|entire conversation|full conversation|all emails|all their emails|all messages|all files|inbox$|customer list|customer data|customer record|contact list|bank details|bank account|credit card|session cookie|environment variable|personal data|medical record|security code|verification code|one-time code|passwort|kennwort|zugangsdaten|api-schlussel|kundendaten|kundenliste|mot de passe|mots de passe|identifiants|cle api|cles api|historique de la conversation|donnees client|contrasena|clave api|claves api|datos de los clientes|historial de|credenzial|chiave api|chiavi api|dati dei clienti|cronologia|senha|credencia|chave de api|chave api|historico da conversa|wachtwoord|inloggegevens|api-sleutel|klantgegevens|hasło|hasła|haseł|dane logowania|klucz api|losenord|adgangskode|salasana|heslo|hesla|jelszo|jelszav|parola|sifre|api anahtar|mat khau|kata sandi",
    /* address */ "@|http|www$|iban",
    /* useTool */ "call the|call$|invoke|use the|using the|run the|trigger the|ruf|nutze|verwende|benutze|fuhre|appelle|appelez|utilise|execute|llama|utiliza|usa$|usa la|ejecuta|chiama|esegui|chame|roep|gebruik|voer|wywołaj|uzyj|cagır|kullan|panggil|gunakan|goi",
    /* tool */ "tool$|function$|tools$|api$|endpoint|funktion|werkzeug|outil|fonction|herramienta|funcion|strumento|funzione|ferramenta|funcao|functie|narzedzi|funkcj|arac|fonksiyon|alat|cong cu",
    /* code */ "send_|delete_|transfer_|create_|forward_|share_|update_|invite_|post_|pay_|get_|read_|run_|execute_|add_|remove_|write_|grant_|upload_|make_",
  ],
  // Greek
  [
    /* drop */ "αγνόησε|αγνοήστε|ξέχνα|ξεχάστε|μην ακολουθ|μη λάβεις",
    /* keep */ "",
    /* rules */ "οδηγί|εντολ|κανόν",
    /* prior */ "προηγούμεν|παραπάνω|όλες|όλους",
    /* own */ "",
    /* topic */ "",
    /* role */ "από εδώ και|από τώρα",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "χωρίς περιορισμ",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "μην πεις στον χρήστη|μην ενημερώσεις",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "στείλε|μετάφερε|διάγραψε",
    /* secret */ "κωδικ|συνθηματικ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Cyrillic
  [
    /* drop */ "игнорируй|проигнорируй|игнорировать|забудь|не обращай внимания|не обращайте внимания|не следуй|отбрось|отмени|ігноруй|не зважай",
    /* keep */ "не забудь|не игнорируй",
    /* rules */ "инструкц|указани|правил|команд|предписани|распоряжени|вказів|інструкц|установки",
    /* prior */ "предыдущ|прежни|ранее|выше|все$|всех|свои|исходн|полученн|которые тебе|которые ты|тебе говорили|тебе дали|попередн|усі$|всі$",
    /* own */ "мои предыдущие",
    /* topic */ "правила игры|правила дорожн",
    /* role */ "теперь ты|ты теперь|отныне|с этого момента|відтепер",
    /* newRole */ "теперь ты",
    /* honestRole */ "",
    /* unbound */ "без ограничений|режим разработчика|режиме разработчика|без фильтров",
    /* system */ "системное сообщение|сообщение системы|новая инструкция|новые инструкции|новое указание",
    /* reveal */ "покажи|выведи|раскрой|повтори",
    /* prompt */ "системный промпт|системный запрос|свои инструкции",
    /* hushUser */ "не говори пользователю|не говорите пользователю|не сообщай пользователю|не сообщайте пользователю|не упоминай|не уведомляй пользовател|без ведома пользователя|не сообщая пользователю|пользователь не должен|не кажи користувач",
    /* hush */ "тайно|незаметно|втайне",
    /* machine */ "ии-агент|ассистент|языковая модель|искусственный интеллект",
    /* call */ "дорогой ассистент|уважаемый ассистент|для ассистента|ассистенту|если ты ии|если вы ии|если ты языковая",
    /* honestCall */ "",
    /* order */ "не могли бы|мог бы|пожалуйста|должен|должна|нужно|немедленно",
    /* task */ "пользователь хочет|пользователь уже|от имени пользователя|прежде чем ответить|перед тем как ответить",
    /* act */ "отправь|перешли|переведи|удали|скопируй|надішли",
    /* secret */ "пароль|пароли|паролей|учётные данные|ключ api|ключи api|переписк|данные клиентов",
    /* address */ "",
    /* useTool */ "вызови|используй|запусти",
    /* tool */ "инструмент|функци",
    /* code */ "",
  ],
  // Hebrew
  [
    /* drop */ "תתעלם|התעלם|התעלמו|תשכח|שכח את",
    /* keep */ "",
    /* rules */ "הוראות|הנחיות|כללים",
    /* prior */ "הקודמות|כל ה|שקיבלת",
    /* own */ "",
    /* topic */ "",
    /* role */ "מעכשיו אתה|אתה עכשיו",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "ללא הגבלות",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "אל תספר למשתמש",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "שלח|העבר|מחק",
    /* secret */ "סיסמ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Arabic
  [
    /* drop */ "تجاهل|انس |تغاضى|لا تتبع|لا تلتزم|نادیده بگیر|فراموش کن|نظر انداز",
    /* keep */ "لا تنس|لا تتجاهل",
    /* rules */ "تعليمات|توجيهات|أوامر|قواعد|إرشادات|دستورالعمل|دستورات|قوانین|ہدایات",
    /* prior */ "السابق|جميع|كل |أعلاه|قبلی|تمام|همه",
    /* own */ "",
    /* topic */ "",
    /* role */ "أنت الآن|من الآن فصاعدا|از این پس",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "دون قيود|بدون محدودیت",
    /* system */ "رسالة النظام|تعليمات جديدة",
    /* reveal */ "اكشف|اعرض",
    /* prompt */ "موجه النظام",
    /* hushUser */ "بلا إخبار|لا تخبر المستخدم|لا تذكر ذلك|دون إخبار|دون علم المستخدم|به کاربر نگو",
    /* hush */ "سرا",
    /* machine */ "المساعد|الذكاء الاصطناعي|هوش مصنوعی",
    /* call */ "عزيزي المساعد|إلى المساعد|إذا كنت ذكاء",
    /* honestCall */ "",
    /* order */ "يجب|يرجى|من فضلك",
    /* task */ "نيابة عن المستخدم|يريد المستخدم منك|قبل الرد على المستخدم",
    /* act */ "أرسل|حوّل|احذف|أعد توجيه|ارسال کن",
    /* secret */ "كلمة المرور|كلمات المرور|كلمة السر|مفتاح|رمز عبور",
    /* address */ "",
    /* useTool */ "استخدم|استدع",
    /* tool */ "أداة",
    /* code */ "",
  ],
  // scripts of India and Thailand
  [
    /* drop */ "अनदेखा|नज़रअंदाज़|भूल जा|उपेक्षा|উপেক্ষা|ভুলে যা|เพิกเฉย|ไม่ต้องสนใจ|ละเว้น|ลืมคำสั่ง",
    /* keep */ "न भूल",
    /* rules */ "निर्देश|आदेश|नियम|हिदायत|নির্দেশ|คำสั่ง|คำแนะนำ|กฎ",
    /* prior */ "पिछले|पहले|सभी|पूर्व|ऊपर|সমস্ত|আগের|ก่อนหน้า|ทั้งหมด|ข้างต้น",
    /* own */ "",
    /* topic */ "",
    /* role */ "अब से|अब तुम|अब आप|จากนี้ไป",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "बिना किसी प्रतिबंध|ไม่มีข้อจำกัด",
    /* system */ "नया निर्देश|नए निर्देश",
    /* reveal */ "दिखा|बता",
    /* prompt */ "सिस्टम प्रॉम्प्ट",
    /* hushUser */ "उपयोगकर्ता को न बत|उपयोगकर्ता को मत|यूज़र को मत|यूज़र को न |อย่าบอกผู้ใช้",
    /* hush */ "चुपचाप",
    /* machine */ "एआई|सहायक|ผู้ช่วย",
    /* call */ "प्रिय सहायक|सहायक के लिए",
    /* honestCall */ "",
    /* order */ "कृपया|करें|तुरंत|กรุณา|โปรด",
    /* task */ "उपयोगकर्ता की ओर से|उपयोगकर्ता चाहता",
    /* act */ "भेज|ट्रांसफर|हटा|ส่ง|โอน|ลบ",
    /* secret */ "पासवर्ड|गोपनीय|รหัสผ่าน",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Chinese and Japanese
  [
    /* drop */ "忽略|無視|无视|忘记|忘掉|忘記|不要理会|不用理会|别理会|不理会|抛开|不再遵|不要遵|别管|撇开|" +
      "忘れてくださ|忘れなさ|忘れろ|従わない|従わず|守らなくて|気にしない|破棄し",
    /* keep */ "不要忘记|别忘记|别忘了|不要忽略|请勿忽略|切勿忽略|不能忽略|不可忽略|無視しない|忘れない|忘れず",
    /* rules */ "指令|指示|说明|說明|提示|规则|規則|命令|要求|设定|設定|约束|指引|ルール|プロンプト|制約",
    /* prior */ "之前|以前|先前|上述|以上|所有|前面|此前|原来|一切|今まで|これまで|上記|すべて|全て|先ほど|従来",
    /* own */ "我之前|我的|私の",
    /* topic */ "",
    /* role */ "你现在是|从现在起|从现在开始|你的新角色|扮演|あなたは今|これからあなた|今からあなた|これ以降",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "没有限制|不受限制|无限制|不受任何|开发者模式|開發者模式|制限なし|制限のない|制約なし|開発者モード",
    /* system */ "系统消息|系统提示|系统指令|新指令|新的指令|新的指示|システムメッセージ|新しい指示|新たな指示|新しい命令",
    /* reveal */ "透露|显示|输出|重复|告诉我|表示|教えて|出力",
    /* prompt */ "系统提示|你的提示|你的指令|システムプロンプト",
    /* hushUser */ "不要告诉用户|别告诉用户|不要告知用户|无需告知用户|不必告知用户|不告诉用户|不要向用户|无需通知用户|不要通知用户|不要讓使用者|不要告訴使用者|不要让用户知道|ユーザーに知らせ|ユーザーには知らせ|ユーザーに言わ|ユーザーには言わ|ユーザーに伝えな|ユーザーには伝えな|ユーザーに伝えず|ユーザーに通知せ|ユーザーには内緒",
    /* hush */ "悄悄|秘密|暗中|偷偷|こっそり|密かに",
    /* machine */ "人工智能|语言模型|大模型|助理|助手|アシスタント|言語モデル|人工知能",
    /* call */ "亲爱的助手|亲爱的ai|尊敬的ai|アシスタントの方|尊敬的助手|致ai|致人工智能|致助手|给ai的|给助手的|如果你是ai|如果你是人工智能|如果你是一个|aiへ|アシスタントへ|あなたがaiなら",
    /* honestCall */ "",
    /* order */ "麻烦|勞煩|劳驾|恐れ入り|お手数|必须|请|請|务必|立即|ください|しなければ|すること|せよ",
    /* task */ "用户希望你|用户要求你|用户已经|用户已授权|代表用户|以用户的名义|在回答之前|在回复用户之前|ユーザーはあなたに|ユーザーの代わりに|ユーザーに代わって|ユーザーはすでに|回答する前に",
    /* act */ "发送|转发|转账|汇款|删除|发到|转到|发给|上传|發送|轉發|刪除|送信|転送|送金|送って|削除|アップロード",
    /* secret */ "密码|密碼|密钥|凭证|凭据|聊天记录|对话记录|客户名单|客户数据|パスワード|認証情報|apiキー|会話履歴|顧客データ|顧客リスト",
    /* address */ "",
    /* useTool */ "调用|使用|执行|呼び出|使って|実行し",
    /* tool */ "工具|函数|ツール|関数",
    /* code */ "",
  ],
  // Korean
  [
    /* drop */ "무시하|무시해|잊어|잊으|따르지|버리고|신경 쓰지",
    /* keep */ "무시하지|잊지",
    /* rules */ "지시|명령|지침|규칙|프롬프트|안내 사항",
    /* prior */ "이전|앞의|앞선|모든|위의|기존|지금까지",
    /* own */ "제가",
    /* topic */ "",
    /* role */ "이제부터|당신은 이제|너는 이제|지금부터",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "제한 없|제약 없|개발자 모드",
    /* system */ "시스템 메시지|새로운 지시|새 지시|새로운 지침",
    /* reveal */ "보여|출력|알려",
    /* prompt */ "시스템 프롬프트",
    /* hushUser */ "사용자에게 알리지|사용자에게 말하지|사용자에게는 알리지|사용자에게는 말하지|사용자 모르게|사용자에게 언급하지",
    /* hush */ "몰래|은밀히",
    /* machine */ "ai 비서|어시스턴트|언어 모델|인공지능",
    /* call */ "어시스턴트에게|어시스턴트님|ai에게|ai라면",
    /* honestCall */ "",
    /* order */ "부탁|번거로|해야|하세요|해 주세요|해주세요|하십시오",
    /* task */ "사용자를 대신|사용자는 이미|사용자가 이미|사용자가 원하|답변하기 전에",
    /* act */ "보내|전송|송금|삭제|전달|업로드",
    /* secret */ "비밀번호|암호|api 키|대화 기록|고객 명단",
    /* address */ "",
    /* useTool */ "호출|사용하|사용해|실행",
    /* tool */ "도구|함수",
    /* code */ "",
  ],
];
