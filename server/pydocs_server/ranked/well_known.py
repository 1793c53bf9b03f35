"""Packages that people ask about by name, mounted or not: those that are hardly ever a plain word.

Whoever asks about one that is not mounted is told so, and not given what shares a word with it.
"""

from __future__ import annotations

from typing import Final

__all__ = ["WELL_KNOWN"]

_NAMES: Final = (
    "aiobotocore aiofiles aiogram aiohttp aiokafka aiomysql aiopg aioredis aiosqlite airflow "
    "alembic altair ansible anthropic anyio apscheduler argcomplete asgiref asyncpg asyncssh "
    "bcrypt beautifulsoup4 biopython bokeh boto boto3 botocore bs4 cachetools catboost cattrs "
    "cbor2 certifi cffi chardet charset-normalizer cherrypy chromadb cloudpickle colorama cupy "
    "cv2 cvxpy cython dateutil deepspeed detectron2 discord-py diskcache django "
    "djangorestframework dnspython docutils duckdb elasticsearch faiss fastapi fastavro fastmcp "
    "fiona flask flask-login flask-sqlalchemy flax fonttools fsspec gensim geopandas gevent "
    "gitpython gradio grpcio gunicorn h5py httpcore httplib2 httpx httpx-sse huggingface-hub "
    "hypercorn imageio ipykernel ipython ipywidgets isort itsdangerous jax jaxlib jinja2 joblib "
    "jsonschema jupyterlab keras keyring kivy kombu kubernetes langchain langchain-core langgraph "
    "librosa lightgbm litellm llama-index llamaindex llvmlite loguru lxml markupsafe marshmallow "
    "matplotlib mkdocs mlflow mongoengine more-itertools mpmath msgpack msgspec mypy mysqlclient "
    "networkx nltk nox numba numexpr numpy onnx onnxruntime openai opencv opencv-python openpyxl "
    "opentelemetry orjson pandas paramiko passlib patsy pdfminer pdfplumber peewee pendulum "
    "phonenumbers pikepdf pipenv plotly pluggy polars prompt-toolkit psutil psycopg psycopg2 "
    "psycopg2-binary pyarrow pyautogui pycparser pycryptodome pydantic pydantic-core "
    "pydantic-settings pydub pygame pygments pyinstaller pyjwt pylint pymongo pymssql pymupdf "
    "pymysql pynacl pyodbc pyopenssl pyparsing pypdf pypdf2 pyproj pyqt pyqt5 pyqt6 pyright "
    "pyserial pyside2 pyside6 pyspark pytesseract pytest pytest-asyncio python-dateutil "
    "python-docx python-dotenv python-jose python-multipart pytorch pytorch-lightning pytz "
    "pywin32 pyyaml pyzmq qdrant-client rapidfuzz rasterio rdflib reportlab rest-framework rpy2 "
    "scikit-image scikit-learn scipy scrapy seaborn selenium sentence-transformers sentencepiece "
    "sentry-sdk setuptools shapely simplejson skimage sklearn slack-sdk slowapi "
    "snowflake-connector-python spacy sqlalchemy sqlglot sqlmodel sqlparse starlette statsmodels "
    "streamlit structlog sympy telethon tenacity tensorboard tensorflow tensorflow-hub termcolor "
    "textblob textual thinc tiktoken timm tinydb tomlkit torch torchaudio torchvision "
    "tortoise-orm tqdm tweepy twilio typeguard typer typing-extensions tzdata ujson urllib3 "
    "uvicorn uvloop vllm wandb watchdog watchfiles weasyprint werkzeug whoosh wtforms wxpython "
    "xgboost xlrd xlsxwriter xlwings zeep zstandard"
)

WELL_KNOWN: Final = frozenset(_NAMES.split())
"""Their distribution and import names, in lower case and with hyphens."""
